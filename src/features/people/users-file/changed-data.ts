/** What the file's data must be after the edits: what an edit of the text is measured against. Pure. */
import type { UserEdit } from '../../../ports/users-file.ts'

export function changedData(data: unknown, edits: readonly UserEdit[]): unknown {
  const root = new Map(data instanceof Map ? (data as ReadonlyMap<unknown, unknown>) : [])
  const users = new Map(
    root.get('users') instanceof Map ? (root.get('users') as ReadonlyMap<unknown, unknown>) : [],
  )
  for (const edit of edits) users.set(edit.username, changedUser(users.get(edit.username), edit))
  return root.set('users', users)
}

function changedUser(before: unknown, edit: UserEdit): ReadonlyMap<unknown, unknown> {
  if (edit.kind === 'add') return new Map(attributesOf(edit))
  const user = new Map(before instanceof Map ? (before as ReadonlyMap<unknown, unknown>) : [])
  return edit.kind === 'disable' ? user.set('disabled', true) : user.set('groups', [...edit.groups])
}

/** A new user's attributes in the order in which they are written. */
export const attributesOf = (
  edit: Extract<UserEdit, { kind: 'add' }>,
): readonly (readonly [string, string | boolean | readonly string[]])[] => [
  ['disabled', edit.disabled],
  ['displayname', edit.display_name],
  ['password', edit.password_hash],
  ['email', edit.email],
  ['groups', [...edit.groups]],
]
