/**
 * The installation's own secret: what it leaves in the world and may take back from there is signed with it. It is made
 * with the installation, stands in the database alone, and never leaves this file.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { Failure } from '../kernel/failure.ts'
import { Secret } from '../kernel/secret.ts'
import type { Sign } from '../ports/world-holder.ts'
import type { Connection } from './connection.ts'

const KEY = 'holder_secret'

/** Once: what was signed before stays signed. */
export function keepSigningSecret(connection: Connection): void {
  connection
    .prepare('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO NOTHING')
    .run(KEY, randomBytes(32).toString('hex'))
}

/** RFC 2104. The secret is read at the first use. */
export function signerOn(connection: Connection): Sign {
  let secret: Secret | null = null
  return (text) => {
    secret ??= secretIn(connection)
    return createHmac('sha256', secret.reveal()).update(text).digest('hex')
  }
}

function secretIn(connection: Connection): Secret {
  const found = connection.prepare<[string], string>('SELECT value FROM meta WHERE key = ?').pluck().get(KEY)
  if (found !== undefined && /^[0-9a-f]{64}$/.test(found)) return new Secret(found)
  throw new Failure(
    'database_corrupt',
    `${connection.name} lacks the secret with which this installation signs (${KEY} in its table meta). Restore a backup.`,
  )
}
