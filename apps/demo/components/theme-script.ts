/** Where the visitor's choice is kept; nothing there means: as the system has it. */
export const themeKey = 'theme';

/**
 * Runs before the first paint, so that no page flashes in the other theme. It stands in the document as text: a file would
 * arrive too late.
 */
export const themeScript = `try{const t=localStorage.getItem('${themeKey}');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch{}`;
