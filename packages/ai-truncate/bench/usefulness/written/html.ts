import type { WrittenFacts } from './written-facts.ts';

export const htmlFacts: WrittenFacts = {
  ninja: [
    [
      'What does an empty pool do to a build statement?',
      'empty pool. This effectively puts the build statement back into the default',
    ],
    ['How far does a comment go, and how do Comments look?', 'Comments begin with # and extend to the end of the line'],
    ['What happens with the graph if no target is given?', 'If no target is given generate a'],
    ['How does the declaration of a rule begin?', 'rule declaration, which begins with rule rulename'],
    ['How deep is the standard pool?', 'pool, which has infinite depth', 'pool'],
    [
      'For expressing which dependencies are implicit ones, if they do not show up?',
      'expressing dependencies that don’t show up',
    ],
    ['Where is it necessary to escape a colon?', 'only necessary in build lines, where a colon'],
    [
      'What does a validation allow the build to do?',
      'using a validation would allow the build to proceed in parallel',
    ],
    ['What is made together with foo.mod?', 'build foo.o | foo.mod: dyndep', 'foo.mod'],
  ],
  'node-child-process': [
    ['Who processes special characters in a command?', 'processed directly by the shell and special characters (vary'],
    ['As what should stdin always be used?', 'Always ensure that stdin is used as readable'],
    ['Is the advanced format a superset of JSON?', 'this format is not a full superset of JSON'],
    ['On what does the behavior of a detached parent depend?', 'Specific behavior depends on the platform'],
    [
      'What is child_process.execSync() like?',
      'child_process.execSync() method is generally identical to',
      'child_process.execSync',
    ],
    ['Which stdio lets a child live on after its parent?', 'stdio configuration that is not connected to the parent'],
    ['What does inherit do with a stream?', 'Pass through the corresponding stdio stream to/from the'],
    [
      'Do servers of node:dgram work differently?',
      'module servers use exactly the same workflow with the exceptions of',
    ],
    [
      'Does the case of environment variables matter on Windows?',
      'On Windows, environment variables are case-insensitive',
    ],
    ['Which option sets the user identity of the process?', 'uid <number> Sets the user identity of the process'],
  ],
  'node-tls': [
    ['When is ca necessary for the client?', 'This is necessary only if the client uses a self-signed certificate'],
    [
      'When is the session event emitted on a client?',
      "'session' event is emitted on a client tls.TLSSocket when a new session",
    ],
    ['How is client-cert.pem read?', "cert: fs.readFileSync('client-cert.pem')", 'client-cert.pem'],
    ['What is setTicketKeys for?', 'Sets the session ticket keys', 'ticket'],
    [
      'Where can I read about modifying the default cipher suite?',
      'more information, see Modifying the default TLS cipher suite',
    ],
    ['With what must the PSK be compatible?', 'returns the PSK to use (which must be compatible with'],
    [
      'What does UNABLE_TO_DECRYPT_CRL_SIGNATURE mean?',
      "Unable to decrypt CRL's signature",
      'UNABLE_TO_DECRYPT_CRL_SIGNATURE',
    ],
    ['Is there support for the info of an elliptic curve key?', 'Support Elliptic Curve public key info'],
    ['What does checkServerIdentity verify about the hostname?', 'Verifies the certificate cert is issued to hostname'],
    ['What comes out of exportKeyingMaterial?', 'requested bytes of the keying material', 'keying'],
  ],
  'npm-config': [
    ['What is --silent short for?', '--silent: --loglevel silent', '--silent'],
    ['Can I install packages that are only staged?', 'Allow installing "staged" published packages'],
    ['How do I restrict a token to some organizations?', 'the token access to specific organizations'],
    ['Do git hooks run with the npm version command?', 'Run git commit hooks when using the npm version command'],
    ['Are optional deps installed by default?', 'Default value does install optional deps unless otherwise omitted'],
    ['Which mode do other files get?', 'other files are created with a mode of 0o644'],
    ['What collides with save-peer?', 'cannot be used with: save-dev, save-peer, save-prod', 'save-peer'],
    ['Is there something shorter than --init-author-url?', 'Alias for --init-author-url', '--init-author-url'],
    [
      'Can an install script run regardless of what I approved?',
      'install script regardless of whether it was approved or denied',
    ],
    [
      'Why should I keep the prefix of version tags?',
      'other tools may rely on the convention that npm version tags look',
    ],
  ],
  'rust-lints': [
    ['What is the effect of track_caller in a tail call?', 'marked with `#[track_caller]` has no special effect'],
    ['What does lifetime elision result in?', 'Lifetime elision results in the output lifetime becoming'],
    ['Where do I read about attributes and their positions?', 'attributes and their correct positions'],
    [
      'What should I use instead of relying on the fallback of a type?',
      'use an explicit type instead of relying on type',
    ],
    [
      'Is ambiguous_wide_pointer_comparisons enabled from the start?',
      'warn(ambiguous_wide_pointer_comparisons)]` on by default',
      'ambiguous_wide_pointer_comparisons',
    ],
    [
      'Do I have to enable break_with_label_and_loop?',
      'warn(break_with_label_and_loop)]` on by default',
      'break_with_label_and_loop',
    ],
    ['How is fn_ptr compared with null, is it cast to const?', 'if (fn_ptr as *const ()).is_null()'],
    ['When did the inference for floating point literals apply?', 'This used to apply in the case of f32: From<T>'],
    ['What do I have to recheck?', 'please recheck to make sure their usages are indeed what you want', 'recheck'],
    ['Which import appeared later?', 'use m::S import that appeared later'],
  ],
  'rust-vec-deque': [
    [
      'How can I search with a function for key extraction?',
      'Binary searches this VecDeque with a key extraction function',
    ],
    ['What does extend_one want?', 'fn extend_one(&mut self, elem: T)', 'extend_one'],
    [
      'Is there a PartialEq of VecDeque with an array of N const items?',
      'const N: usize> PartialEq<[U; N]> for VecDeque<T, A>',
    ],
    ['What is in vec_deque once d has been inserted after a?', "assert_eq!(vec_deque, &['a', 'd', 'b', 'c', 'e'])"],
    [
      'What comes back from swap_remove_front?',
      'fn swap_remove_front(&mut self, index: usize) -> Option<T>',
      'swap_remove_front',
    ],
    ['How is retain combined with another list?', 'buf.retain(|_| *iter.next().unwrap())', 'retain'],
    ['Can I Extend a VecDeque by references to Copy values?', "Copy, A: Allocator> Extend<&'a T> for VecDeque<T, A>"],
    ['Is the order of the contents kept?', 'The order of the contents is preserved'],
    ['Which elements does the returned deque contain after a split?', 'the returned deque contains elements [at, len)'],
    ['Does partition_point perform a binary search?', 'this method performs a kind of binary search'],
  ],
  underscore: [
    ['How much faster did keys become?', '_.keys is now 25%'],
    ['Was _.debounce always there?', 'Added _.throttle and _.debounce functions', '_.debounce'],
    ['When do views on the same data compare equal?', 'compare equal when viewing different segments of the same'],
    ['Is it a CommonJS module, too?', 'as well as being a CommonJS module'],
    [
      'Which version made the move to the EcmaScript 6 export notation?',
      'move to EcmaScript 6 export notation in version 1.10.0',
    ],
    ['How do I say whether two things should be considered equal?', 'if they should be considered equal'],
    ['What does _.findKey take?', '_.findKey(object, predicate, [context])', '_.findKey'],
    ['Can I pass an array of valid keys?', 'the allowed keys (or array of valid keys)'],
    ['What is leading: false for in a call?', 'call, pass {leading: false}'],
    [
      'Which upgrade should I test because it is more incompatible than usual?',
      'incompatible than usual — please test when you upgrade',
    ],
    ['How deep does flatten go with Infinity?', 'passing false or Infinity, flattens the array all the', 'Infinity'],
  ],
  wikipedia: [
    [
      'When was the page of the Department of Conservation on the Wētā retrieved?',
      '"Wētā". Department of Conservation. Retrieved 25 June 2017',
    ],
    [
      'Who wrote about British immigration and the New Zealand Company?',
      'Phillips, Jock (April 2010). "British immigration and the New Zealand Company"',
    ],
    ['What proportion of the area is covered by rivers, lakes and ponds?', '92499–26033 – 19216) = 1.6%'],
    ['Which number does the Sign Language Act have?', 'Sign Language Act 2006 No 18'],
    [
      'What was published as 10.1016/0169-5347(93)90004-9?',
      ['The New Zealand biota: Historical background and new research', '90004-9'],
      '10.1016/0169-5347(93)90004-9',
    ],
    [
      "Who wrote about Tasman's achievement?",
      'Wilson, John (March 2009). "European discovery of New Zealand – Tasman\'s achievement"',
    ],
    ['Who edited the entry on Sir George Gipps?', ['McLintock, Alexander, ed.', 'Sir George Gipps']],
    [
      'What do I find under ISBN 978-0-478-32436-5?',
      ['Healing the past, building a future', '978-0-478-32436-5'],
      'ISBN 978-0-478-32436-5',
    ],
    [
      'Which commentary is about forest policy in Papua New Guinea and Western Samoa?',
      'Commentary on Forest Policy in the Asia-Pacific Region',
    ],
  ],
};
