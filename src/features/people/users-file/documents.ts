/** The port of users files over the `yaml` library. */
import { isDeepStrictEqual } from 'node:util'
import { isAlias, isMap, isScalar, type Node, type YAMLMap } from 'yaml'
import { lineAt, YamlFault } from '../../../io/yaml/fault.ts'
import { withoutPairs } from '../../../io/yaml/go-escapes.ts'
import type { FileUser, UserEdit, UsersDocuments, UsersEdited, UsersRead } from '../../../ports/users-file.ts'
import { attributesOf, changedData } from './changed-data.ts'
import { isTrue, usersFaults } from './faults.ts'
import { applySplices, columnOf, lineEndOf, spelled, type Splice, Unfit } from './splices.ts'
import { usersTree, type UsersTree } from './tree.ts'

// What the users file says, and what its provider would not bear.

/** What was read of a tree; it goes with it. */
const readings = new WeakMap<UsersTree, UsersRead>()

function readUsers(given: string): UsersRead {
  const text = withoutPairs(given)
  const read = readText(text)
  return read.ok && text !== given ? { ...read, is_misspelt: true } : read
}

function readText(text: string): UsersRead {
  try {
    const tree = usersTree(text)
    const known = readings.get(tree)
    if (known !== undefined) return known
    const read = readTree(tree)
    readings.set(tree, read)
    return read
  } catch (error) {
    if (!(error instanceof YamlFault)) throw error
    const where = error.offset === null ? '' : `line ${lineAt(text, error.offset)} `
    return { ok: false, msg: `${where}${error.message}` }
  }
}

function readTree({ root, data, document }: UsersTree): UsersRead {
  if (document === null || document.contents === null) return { ok: false, msg: 'is empty' }
  if (root === null || !(data instanceof Map)) return { ok: false, msg: 'is no mapping with the key users' }
  const users: unknown = data.get('users')
  if (users !== null && users !== undefined && !(users instanceof Map))
    return { ok: false, msg: 'has the key users, which is no mapping' }
  const map: ReadonlyMap<unknown, unknown> = users ?? new Map()
  return {
    ok: true,
    users: new Map([...map].map(([name, entry]) => [String(name), userOf(entry)])),
    faults: usersFaults(map),
  }
}

function userOf(entry: unknown): FileUser {
  const attributes: ReadonlyMap<unknown, unknown> = entry instanceof Map ? entry : new Map()
  const groups: unknown = attributes.get('groups')
  return {
    password: textOf(attributes.get('password')),
    display_name: textOf(attributes.get('displayname')),
    email: textOf(attributes.get('email')),
    groups: Array.isArray(groups) ? groups.flatMap((name) => textOf(name) ?? []) : [],
    disabled: isTrue(attributes.get('disabled')),
  }
}

const textOf = (value: unknown): string | null =>
  ['string', 'number', 'boolean', 'bigint'].includes(typeof value) ? String(value) : null

// The users file with a few things changed: the smallest splices into the text, so that every other byte stays, comments
// and quotes and order included. The result is read again and must say what it said, plus the change.

function editUsers(given: string, edits: readonly UserEdit[]): UsersEdited {
  // An older rendering of ours may stand there; what is written says the same in a spelling that the provider reads.
  const text = withoutPairs(given)
  try {
    const tree = usersTree(text)
    if (edits.length === 0) return { ok: true, text }
    const added = edits.filter((edit) => edit.kind === 'add')
    const splices = edits.flatMap((edit) => (edit.kind === 'add' ? [] : [entrySplice(tree, text, edit)]))
    if (added.length > 0) splices.push(addSplice(tree, text, added))
    const edited = applySplices(text, splices)
    if (!isDeepStrictEqual(usersTree(edited).data, changedData(tree.data, edits)))
      return refused('cannot be edited without changing something else; write its users out in block form')
    return { ok: true, text: edited }
  } catch (error) {
    if (error instanceof Unfit) return { ok: false, username: error.username, msg: error.message }
    if (error instanceof YamlFault) return refused(error.message)
    throw error
  }
}

const refused = (msg: string): UsersEdited => ({ ok: false, username: null, msg })

export const usersDocuments: UsersDocuments = { read: readUsers, edit: editUsers }

// Changing one attribute of a user who is there, in place.

type Changed = Exclude<UserEdit, { kind: 'add' }>

/** Throws Unfit. */
function entrySplice({ pair }: UsersTree, text: string, edit: Changed): Splice {
  const { username } = edit
  const users = pair?.value
  const entry = isMap(users)
    ? (users as YAMLMap<Node, Node | null>).items.find(
        ({ key }) => isScalar(key) && String(key.value) === username,
      )
    : undefined
  if (entry === undefined) throw new Unfit(username, 'is not written out in the mapping of users')
  if (isAlias(entry.value)) throw new Unfit(username, 'is an alias ("*name"); write the entry out')
  if (!isMap(entry.value)) throw new Unfit(username, 'is no mapping of attributes')
  const name = edit.kind === 'disable' ? 'disabled' : 'groups'
  const value = spelled(edit.kind === 'disable' ? true : edit.groups)
  return attributeSplice(entry.value as YAMLMap<Node, Node | null>, text, { name, value })
}

function attributeSplice(
  map: YAMLMap<Node, Node | null>,
  text: string,
  { name, value }: { readonly name: string; readonly value: string },
): Splice {
  const found = map.items.find(({ key }) => isScalar(key) && key.value === name)
  if (found === undefined) return newAttribute(map, text, `${name}: ${value}`)
  const start = found.key.range![1]
  const end = found.value?.range?.[1] ?? start
  // A list in block form ends behind its last line; the line end is no part of the value.
  const closes = text.slice(start, end).endsWith('\n') ? lineEndOf(text) : ''
  return { from: start, to: Math.max(end, colonBehind(text, start)), text: `: ${value}${closes}` }
}

/** An empty value ends before its colon is over in no known reader; this is for a key with nothing behind it. */
const colonBehind = (text: string, from: number): number => {
  const colon = text.indexOf(':', from)
  return colon === -1 ? from : colon + 1
}

/** Before the first attribute, where the indentation is known and no comment can come in between. */
function newAttribute(map: YAMLMap<Node, Node | null>, text: string, put: string): Splice {
  const first = map.items[0]?.key.range?.[0]
  if (map.flow === true) {
    const from = map.range![0] + 1
    return { from, to: from, text: first === undefined ? put : `${put}, ` }
  }
  const from = first ?? map.range![0]
  return { from, to: from, text: `${put}${lineEndOf(text)}${' '.repeat(columnOf(text, from))}` }
}

// Where and how new users go in: behind the last one, in the form that the mapping has.

type Added = Extract<UserEdit, { kind: 'add' }>

/** Throws Unfit. */
function addSplice({ root, pair, document }: UsersTree, text: string, users: readonly Added[]): Splice {
  const end = lineEndOf(text)
  if (document === null || document.contents === null) return atEnd(text, ['users:', ...block(users, 2)])
  if (root === null) throw new Unfit(null, 'is no mapping with the key users')
  if (pair === null) return withoutUsers(root, text, users)
  const { value } = pair
  if (isMap(value)) {
    const map = value as YAMLMap<Node, Node | null>
    return map.flow === true ? intoFlow(map, users) : intoBlock(map, text, users)
  }
  if (value !== null && !(isScalar(value) && value.value === null))
    throw new Unfit(null, 'has the key users, which is no mapping written out')
  // An empty value lies somewhere behind its colon; a comment may stand between.
  const colon = text.indexOf(':', pair.key.range![1]) + 1
  const [from, to] = isWritten(value) ? value.range! : [colon, colon]
  if (root.flow === true) return { from, to, text: ` ${flow(users)}` }
  const indent = columnOf(text, pair.key.range![0]) + 2
  return { from, to, text: [``, ...block(users, indent)].join(end) }
}

const isWritten = (value: Node | null): value is Node =>
  value?.range !== undefined && value.range !== null && value.range[1] > value.range[0]

/** The root is a mapping that knows nothing of users yet. */
function withoutUsers(root: YAMLMap<Node, Node | null>, text: string, users: readonly Added[]): Splice {
  if (root.flow === true) return behindLast(root, `"users": ${flow(users)}`)
  return afterLine(root, text, ['users:', ...block(users, 2)])
}

function intoBlock(map: YAMLMap<Node, Node | null>, text: string, users: readonly Added[]): Splice {
  const first = map.items[0]?.key.range?.[0]
  if (first === undefined) throw new Unfit(null, 'has the key users in a form that is not known')
  return afterLine(map, text, block(users, columnOf(text, first)))
}

const intoFlow = (map: YAMLMap<Node, Node | null>, users: readonly Added[]): Splice =>
  behindLast(map, flow(users).slice(1, -1))

/** A comma that closes the list already may follow: `{a: 1, b: 2,}` is YAML. */
function behindLast({ items, range }: YAMLMap<Node, Node | null>, put: string): Splice {
  const last = items.at(-1)
  const end = last === undefined ? range![0] + 1 : (last.value?.range ?? last.key.range)![1]
  return { from: end, to: end, text: last === undefined ? put : `, ${put}` }
}

/** Behind the line on which the mapping ends: what follows its last value there can only be a comment. */
function afterLine({ range }: YAMLMap, text: string, lines: readonly string[]): Splice {
  const end = range![1]
  if (text[end - 1] === '\n') return at(end, lines, text)
  const next = text.indexOf('\n', end)
  return next === -1 ? atEnd(text, lines) : at(next + 1, lines, text)
}

const at = (from: number, lines: readonly string[], text: string): Splice => ({
  from,
  to: from,
  text: lines.map((line) => `${line}${lineEndOf(text)}`).join(''),
})

function atEnd(text: string, lines: readonly string[]): Splice {
  const splice = at(text.length, lines, text)
  return text === '' || text.endsWith('\n') ? splice : { ...splice, text: `${lineEndOf(text)}${splice.text}` }
}

function block(users: readonly Added[], indent: number): string[] {
  const outer = ' '.repeat(indent)
  return users.flatMap((user) => [
    `${outer}${spelled(user.username)}:`,
    ...attributesOf(user).map(([name, value]) => `${outer}  ${name}: ${spelled(value)}`),
  ])
}

const flow = (users: readonly Added[]): string => {
  const entries = users.map(
    (user) =>
      `${spelled(user.username)}: {${attributesOf(user)
        .map(([name, value]) => `"${name}": ${spelled(value)}`)
        .join(', ')}}`,
  )
  return `{${entries.join(', ')}}`
}
