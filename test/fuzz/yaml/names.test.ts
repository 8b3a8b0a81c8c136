/** Whatever the names, what we write for other readers is of one narrow grammar, and says what was meant. */
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { oddNames } from './names.ts'
import { written } from './written.ts'

/** Printable ASCII, in quotes, with the escapes that every reader knows; no surrogate among them. */
const QUOTED = String.raw`"(?:[ !#-\[\]-z|~]|\\["\\]|\\u(?![dD][89a-fA-F])[0-9a-f]{4}|\\U00(?:0[1-9a-f]|10)[0-9a-f]{4})*"`
const SCALAR = `(?:${QUOTED}|true|false|-?\\d+)`
const VALUE = `(?:${SCALAR}|\\[(?:${SCALAR}(?:, ${SCALAR})*)?\\])`
const LINE = new RegExp(`^(?: *(?:- )*(?:(?:${QUOTED}|[a-zA-Z_]+):(?: ${VALUE})?|${VALUE})|#[ -~]*|)$`)

const NAMES = oddNames(200)

it.each(written(NAMES))(
  '$what of odd names are read back as they were',
  ({ what, text, found, expected }) => {
    expect(found(parse(text, { stringKeys: true, version: '1.2' }))).toEqual(expected)
    if (!['users', 'rules', 'routes'].includes(what)) return
    expect(text.split('\n').filter((line) => !LINE.test(line))).toEqual([])
  },
)
