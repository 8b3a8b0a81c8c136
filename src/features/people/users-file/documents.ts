/** The port of users files over the `yaml` library. */
import type { UsersDocuments } from '../../../ports/users-file.ts'
import { editUsers } from './edit.ts'
import { readUsers } from './read.ts'

export const usersDocuments: UsersDocuments = { read: readUsers, edit: editUsers }
