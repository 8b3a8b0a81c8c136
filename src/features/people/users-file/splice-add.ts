/** Where and how new users go in: behind the last one, in the form that the mapping has. */
import { isMap, isScalar, type Node, type YAMLMap } from 'yaml'
import type { UserEdit } from '../../../ports/users-file.ts'
import { attributesOf } from './changed-data.ts'
import { columnOf, lineEndOf, type Splice, spelled, Unfit } from './splices.ts'
import type { UsersTree } from './tree.ts'

type Added = Extract<UserEdit, { kind: 'add' }>

/** Throws Unfit. */
export function addSplice(
  { root, pair, document }: UsersTree,
  text: string,
  users: readonly Added[],
): Splice {
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
