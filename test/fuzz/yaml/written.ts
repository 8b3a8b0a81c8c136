/** Odd names through everything of ours that writes YAML, and what a reader must then find. */
import { usersDocuments } from '../../../src/features/people/users-file/documents.ts'
import { yamlDocuments } from '../../../src/io/yaml/documents.ts'
import { plainRule } from '../../../src/model/access/rule.ts'
import { parsePublicKey } from '../../../src/model/ssh/public-key.ts'
import type { UserEdit } from '../../../src/ports/users-file.ts'
import { jsonOf } from '../../../src/features/routes/render/as-json.ts'
import { block } from '../../../src/features/routes/render/emit.ts'
import { renderRules } from '../../../src/features/sso/target/render.ts'

export interface Written {
  readonly what: string
  readonly form: 'users' | 'any'
  readonly text: string
  /** Without what stands there for other reasons. */
  readonly found: (value: unknown) => unknown
  readonly expected: unknown
}

const HASH = `$argon2id$v=19$m=65536,t=3,p=4$c2FsdHNhbHRzYWx0c2E$${'A'.repeat(43)}`
const ED25519 = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f'

export const written = (names: readonly string[]): readonly Written[] => [
  users(names),
  rules(names),
  routes(names),
  fetchedRoutes(names),
  document(names),
  keyComments(names),
]

/** Invited, put into other groups, revoked: each by an edit of its own, as people do. */
function users(names: readonly string[]): Written {
  const invited = names.map((name): UserEdit => ({
    kind: 'add',
    username: name,
    display_name: name,
    email: name,
    groups: [name],
    password_hash: HASH,
    disabled: false,
  }))
  const regrouped = names.map((username): UserEdit => ({
    kind: 'regroup',
    username,
    groups: ['x', username],
  }))
  const revoked = names.map((username): UserEdit => ({ kind: 'disable', username }))
  let text = '# people\nusers:\n'
  for (const edits of [invited, regrouped, revoked]) {
    const edited = usersDocuments.edit(text, edits)
    if (!edited.ok) throw new Error(`users file: ${edited.username} ${edited.msg}`)
    text = edited.text
  }
  return {
    what: 'users',
    form: 'users',
    text,
    found: (value) => (value as { users: unknown }).users,
    expected: Object.fromEntries(
      names.map((name) => [
        name,
        { password: HASH, displayname: name, email: name, groups: ['x', name], disabled: true },
      ]),
    ),
  }
}

function rules(names: readonly string[]): Written {
  const site = {
    domain: 'a.example.com',
    domain_id: 1,
    rules: names.map((name) => ({
      ...plainRule({ kind: 'literal' as const, text: name }, 'one_factor'),
      subjects: [[`group:${name}`], [`user:${name}`, name]],
      resources: [name],
    })),
  }
  return {
    what: 'rules',
    form: 'any',
    text: renderRules([site]),
    found: (value) => (value as { access_control: { rules: unknown[] } }).access_control.rules.slice(0, -1),
    expected: names.map((name) => ({
      domain: name,
      policy: 'one_factor',
      subject: [`group:${name}`, [`user:${name}`, name]],
      resources: [name],
    })),
  }
}

const headersOf = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, name]))

const routes = (names: readonly string[]): Written => ({
  what: 'routes',
  form: 'any',
  text: block({ customRequestHeaders: headersOf(names), list: names }, ''),
  found: (value) => value,
  expected: { customRequestHeaders: headersOf(names), list: names },
})

const fetchedRoutes = (names: readonly string[]): Written => ({
  ...routes(names),
  what: 'routes as JSON',
  text: jsonOf({ customRequestHeaders: headersOf(names), list: names }),
})

const document = (names: readonly string[]): Written => ({
  what: 'document',
  form: 'any',
  text: yamlDocuments.write({ names, map: headersOf(names) }),
  found: (value) => value,
  expected: { names, map: headersOf(names) },
})

/** A comment is reduced to what means nothing to anybody, or the key is refused. */
function keyComments(names: readonly string[]): Written {
  const comments = names.flatMap((name) => {
    const key = parsePublicKey(`${ED25519} ${name}`)
    return key.ok ? [key.value.comment] : []
  })
  return {
    what: 'key comments',
    form: 'any',
    text: yamlDocuments.write({ comments }),
    found: (value) => value,
    expected: { comments },
  }
}
