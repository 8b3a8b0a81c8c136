/** Changing one attribute of a user who is there, in place. */
import { isAlias, isMap, isScalar, type Node, type YAMLMap } from 'yaml'
import type { UserEdit } from '../../../ports/users-file.ts'
import { columnOf, lineEndOf, type Splice, spelled, Unfit } from './splices.ts'
import type { UsersTree } from './tree.ts'

type Changed = Exclude<UserEdit, { kind: 'add' }>

/** Throws Unfit. */
export function entrySplice({ pair }: UsersTree, text: string, edit: Changed): Splice {
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
