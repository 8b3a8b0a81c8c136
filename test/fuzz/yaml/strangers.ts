/** Users files as strangers leave them: good ones with bits of YAML put in and characters taken out. */
import fc from 'fast-check'

const HASH = '$6$rounds=50000$salt$hash'

const GOOD = [
  `users:\n  a:\n    displayname: A\n    password: ${HASH}\n    groups:\n      - g\n`,
  `users:\n  a: {displayname: "A", password: ${HASH}, groups: [a, b]}\n  b:\n    displayname: >-\n      A B\n    password: ${HASH}\n    disabled: no # x\n`,
  `{users: {a: {displayname: "A", password: '${HASH}'}}}\n`,
]

const BITS = [
  ['\n', '\n  ', '\n    ', ' ', '\t', '\r\n', '\t\n', '   \t\n', '#c', ' # c', 'é', '\u00a0', '🦊', '\ufffe'],
  [
    'a',
    'b: ',
    'a:',
    ':a',
    '- ',
    '-a',
    '?a',
    '? ',
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '?',
    '|',
    '>',
    '|-\n',
    '>-\n      t\n',
  ],
  [
    '"x"',
    "'y'",
    '"a": 1',
    '"\\x41"',
    '"\\/"',
    '"\\u00e9"',
    '"\\ud83e"',
    '"a\n   b"',
    "'a\n  b'",
    '"\\\n  c"',
    '"a"b',
  ],
  [
    '~',
    '*a',
    '&a ',
    '!',
    '!!str ',
    '<<: ',
    '---',
    '...',
    'no',
    '1e3',
    '0x1f',
    '=',
    '%',
    '@',
    '`',
    'a: b: c',
    '- - a',
  ],
  [
    'disabled: ',
    'disabled: "false"\n    ',
    'groups: ',
    'groups: [~]\n    ',
    '{a: b}',
    '[a, b]',
    '{"a":b}',
    '[a: b]',
  ],
].flat()

const put = fc.record({
  place: fc.double({ min: 0, max: 1, noNaN: true }),
  bit: fc.constantFrom('', ...BITS),
  gone: fc.integer({ min: 0, max: 5 }),
})

export const strangersUsers: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom(...GOOD), fc.array(put, { minLength: 1, maxLength: 3 }))
  .map(([good, puts]) =>
    puts.reduce((text, { place, bit, gone }) => {
      const at = Math.floor(place * text.length)
      // Mostly something more, now and then something less.
      return text.slice(0, at) + bit + text.slice(at + (gone < 3 ? 0 : gone))
    }, good),
  )
