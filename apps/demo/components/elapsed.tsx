'use client';

import { useEffect, useState } from 'react';

/** Seconds since this appeared. Below two of them nothing is shown: most tools are done by then, and numbers would flicker. */
export function Elapsed() {
  const [seconds, setSeconds] = useState(0);

  useEffect(() => {
    const startedAt = Date.now();
    const timer = setInterval(() => setSeconds(Math.floor((Date.now() - startedAt) / 1000)), 1000);
    return () => clearInterval(timer);
  }, []);

  return seconds < 2 ? null : <span className="tabular-nums"> · {seconds} s</span>;
}
