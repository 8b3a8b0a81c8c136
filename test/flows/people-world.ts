/** A users file and a mail server for whole houses that invite people. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { usersDocuments } from '../../src/features/people/users-file/documents.ts'
import type { FileUser } from '../../src/ports/users-file.ts'
import { type SmtpSink, smtpSink } from '../fakes/mail/smtp-sink.ts'

export interface PeopleWorld {
  readonly env: Readonly<Record<string, string>>
  readonly sink: SmtpSink
  readonly users_path: string
  /** The users file as text. */
  text(): string
  write(text: string): void
  user(name: string): FileUser | undefined
  users(): ReadonlyMap<string, FileUser>
  [Symbol.asyncDispose](): Promise<void>
}

/** Of the password "authelia", as its documentation has it. */
export const A_HASH =
  '$argon2id$v=19$m=65536,t=3,p=4$BpLnfgDsc2WD8F2q$o/vzA4myCqZZ36bUGsDY//8mKUYNZZaR0t4MFFSs+iM'

export const OWNER = `# People of the house
users:
  owner: # me
    disabled: false
    displayname: "The Owner"
    password: "${A_HASH}"
    email: owner@example.com
    groups:
      - admins
`

export async function peopleWorld(text: string | null = OWNER): Promise<PeopleWorld> {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-people-'))
  const users_path = join(directory, 'authelia', 'users.yml')
  const sink = await smtpSink()
  const world: PeopleWorld = {
    sink,
    users_path,
    env: {
      PLUMBLINE_SSO_USERS_FILE: users_path,
      PLUMBLINE_SSO_USERS_RELOAD: 'none',
      PLUMBLINE_SSO_PORTAL_URL: 'https://auth.example.com',
      PLUMBLINE_MAIL_PROVIDER: 'smtp',
      PLUMBLINE_MAIL_FROM: 'plumbline@example.com',
      PLUMBLINE_SMTP_SERVER: `127.0.0.1:${sink.port}`,
      PLUMBLINE_SMTP_TLS: 'none',
    },
    text: () => readFileSync(users_path, 'utf8'),
    write: (next) => writeFileSync(users_path, next, { mode: 0o600 }),
    users() {
      const read = usersDocuments.read(world.text())
      if (!read.ok) throw new Error(`the users file ${read.msg}`)
      return read.users
    },
    user: (name) => world.users().get(name),
    async [Symbol.asyncDispose]() {
      await sink.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
  mkdirSync(join(directory, 'authelia'))
  if (text !== null) world.write(text)
  return world
}
