/**
 * The users file of the SSO provider as text: what it says, and the same with a few things changed.
 *
 * Contract. Pure and synchronous; work is linear in the length. Every form that YAML allows is read. An edit touches the
 * bytes of what it changes and no others, and its result is read again and compared before it is given: it says exactly
 * what it said, plus the change, or the edit is refused. What is read is judged by the provider's grammar: a text that only
 * our own parser takes is none.
 */
export interface UsersDocuments {
  read(text: string): UsersRead
  edit(text: string, edits: readonly UserEdit[]): UsersEdited
}

export type UsersRead =
  | {
      readonly ok: true
      readonly users: ReadonlyMap<string, FileUser>
      readonly faults: readonly UserFault[]
      /**
       * Characters are spelt as we once did (as two escapes each), for which the provider refuses the whole file. Any edit
       * mends that, also one of nothing.
       */
      readonly is_misspelt?: true
    }
  /** `msg` is the end of a sentence that begins with the file. */
  | { readonly ok: false; readonly msg: string }

/** What the file says of one user, as far as we look at it. */
export interface FileUser {
  readonly password: string | null
  readonly display_name: string | null
  readonly email: string | null
  readonly groups: readonly string[]
  readonly disabled: boolean
}

/** Something for which the provider refuses the whole file. */
export interface UserFault {
  /** Null: not of one user. */
  readonly username: string | null
  /** The end of a sentence. */
  readonly msg: string
}

/** The users file, to be looked at. */
export interface UsersView {
  readonly path: string
  /** Throws `component_unavailable` where it cannot be read or understood. */
  look(signal: AbortSignal): Promise<FileUsers>
}

export interface FileUsers {
  /** SHA-256 of the file; null where there is none. */
  readonly digest: string | null
  readonly users: ReadonlyMap<string, FileUser>
  /** For which the provider refuses the whole file. */
  readonly faults: readonly UserFault[]
}

export const refusedWords = (path: string, { username, msg }: UserFault): string =>
  `${path} is refused by its provider as a whole: user ${username} ${msg}. Mend it first.`

export type UserEdit =
  | {
      readonly kind: 'add'
      readonly username: string
      readonly display_name: string
      readonly email: string
      readonly groups: readonly string[]
      readonly password_hash: string
      readonly disabled: boolean
    }
  | { readonly kind: 'disable'; readonly username: string }
  | { readonly kind: 'regroup'; readonly username: string; readonly groups: readonly string[] }

export type UsersEdited =
  | { readonly ok: true; readonly text: string }
  /** `username`: whose entry stands in a form that cannot be edited; null where it is the whole file. */
  | { readonly ok: false; readonly username: string | null; readonly msg: string }
