/** The shape of the answers about the keys of the gateway, declared once. */
import { z } from 'zod'
import { difference, driftCause, driftState } from '../../http/difference-views.ts'
import type { Answered } from '../../http/contract.ts'
import { instant } from '../../http/body/scalars.ts'
import { OFFENDERS } from '../../model/ssh/strict-modes.ts'

const CLIENT_STATES = ['deployed', 'missing', 'altered', 'unlisted', 'foreign', 'unknown'] as const

const fingerprint = () => z.string().describe('SHA256:…, as ssh-keygen -l shows it')

export const options = {
  pty: z.boolean().describe('A terminal'),
  port_forwarding: z.boolean(),
  agent_forwarding: z.boolean(),
  x11_forwarding: z.boolean(),
  user_rc: z.boolean().describe('~/.ssh/rc is run'),
  from: z.array(z.string()).describe('Addresses and networks from which the key is taken; empty for any'),
  command: z.string().nullable().describe('What is run, whatever the client asks for'),
  permit_open: z.array(z.string()).describe('host:port to which connections may be forwarded; empty for any'),
  permit_listen: z.array(z.string()).describe('port or host:port on which may be listened; empty for any'),
  expires_at: z.string().nullable().describe('RFC 3339; the key is not taken any more from then on'),
  verify_required: z.boolean().describe('For sk- keys: with PIN or fingerprint'),
  no_touch_required: z.boolean().describe('For sk- keys: without a touch'),
}

export const ClientView = z.object({
  fingerprint: fingerprint(),
  type: z.string(),
  bits: z.int().nullable(),
  weakness: z
    .string()
    .nullable()
    .describe('Why it would not be taken as a new key; it stays until it is removed'),
  key: z.string().describe('Base64'),
  name: z.string(),
  managed: z.boolean().describe('False for keys that somebody else put into the file: they are only shown'),
  state: z
    .enum(CLIENT_STATES)
    .describe('unlisted: between our lines and no client of ours, about to be taken away; unknown: not read'),
  options: z.object(options).nullable().describe('Null for keys that are not ours'),
  line_options: z
    .string()
    .nullable()
    .describe(
      'Of keys that are not ours: the words before the key as they stand there, empty for none; else null',
    ),
  also_foreign: z.boolean().describe('The key stands on a foreign line: it logs in by that one'),
  revision: z.int().nullable(),
  created_at: instant().nullable(),
  updated_at: instant().nullable(),
})
export type ClientView = Answered<typeof ClientView>

const ListedClient = ClientView.extend({
  cause: driftCause.nullable().describe('Why it is not as it should be; null where it is'),
}).meta({ id: 'SshClient' })

export const ClientsAnswer = z
  .object({
    configured: z.boolean(),
    place: z.string().nullable(),
    reachable: z
      .boolean()
      .nullable()
      .describe('Whether the gateway’s file could be read; null without a gateway'),
    detail: z.string().nullable(),
    offences: z
      .array(z.string())
      .nullable()
      .describe('What keeps a strict sshd (StrictModes) from reading the file; null where that is not known'),
    offences_by_part: z
      .array(z.object({ by: z.enum(OFFENDERS), fault: z.string(), remedy: z.string() }))
      .nullable()
      .describe('The same in parts; that its group may write to the file or a folder, some sshd let pass'),
    drift: driftState(),
    differences: z.array(difference),
    clients: z.array(ListedClient).describe('Ours, the oldest first; then what else stands in the file'),
  })
  .meta({ id: 'SshClients' })
export type ClientsAnswer = Answered<typeof ClientsAnswer>

export const changed = {
  success: z.literal(true),
  message: z.string(),
  fingerprint: fingerprint(),
  type: z.string(),
  bits: z.int(),
  name: z.string(),
  warnings: z.array(z.string()),
}

export const Added = z
  .object({ ...changed, created: z.boolean().describe('False where the key was there already') })
  .meta({ id: 'SshClientAdded' })
