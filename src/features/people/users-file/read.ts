/** What the users file says, and what its provider would not bear. */
import type { FileUser, UsersRead } from '../../../ports/users-file.ts'
import { lineAt, YamlFault } from '../../../io/yaml/fault.ts'
import { withoutPairs } from '../../../io/yaml/go-escapes.ts'
import { isTrue, usersFaults } from './faults.ts'
import { type UsersTree, usersTree } from './tree.ts'

/** What was read of a tree; it goes with it. */
const readings = new WeakMap<UsersTree, UsersRead>()

export function readUsers(given: string): UsersRead {
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
