/** Few names that are often above, below or beside each other. */
import fc from 'fast-check'

const LABELS = ['a', 'b', 'c']

/** One to three labels below `lan`. */
export const someName = fc
  .array(fc.constantFrom(...LABELS), { minLength: 1, maxLength: 3 })
  .map((labels) => [...labels, 'lan'].join('.'))

/** Every such name, and some that no configuration has. */
export const EVERY_NAME: readonly string[] = [
  'lan',
  'other.example',
  'd.lan',
  ...LABELS.flatMap((x) => [
    `${x}.lan`,
    `d.${x}.lan`,
    ...LABELS.flatMap((y) => [`${y}.${x}.lan`, ...LABELS.map((z) => `${z}.${y}.${x}.lan`)]),
  ]),
  'a.a.a.a.lan',
  'd.b.a.b.lan',
]

export const someAddress = fc.oneof(
  fc.integer({ min: 1, max: 200 }).map((last) => `192.0.2.${last}`),
  fc.integer({ min: 1, max: 200 }).map((last) => `2001:db8::${last.toString(16)}`),
)
