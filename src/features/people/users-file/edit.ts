/**
 * The users file with a few things changed: the smallest splices into the text, so that every other byte stays, comments
 * and quotes and order included. The result is read again and must say what it said, plus the change.
 */
import { isDeepStrictEqual } from 'node:util'
import type { UserEdit, UsersEdited } from '../../../ports/users-file.ts'
import { YamlFault } from '../../../io/yaml/fault.ts'
import { withoutPairs } from '../../../io/yaml/go-escapes.ts'
import { changedData } from './changed-data.ts'
import { addSplice } from './splice-add.ts'
import { entrySplice } from './splice-entry.ts'
import { applySplices, Unfit } from './splices.ts'
import { usersTree } from './tree.ts'

export function editUsers(given: string, edits: readonly UserEdit[]): UsersEdited {
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
