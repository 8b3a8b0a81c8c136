/** The shapes of what is answered about SSH targets. */
import { z } from 'zod'
import { Planned } from '../../http/common-views.ts'
import { TARGET_STATES } from './read.ts'
import { instant } from '../../http/body/scalars.ts'

export const SshTargets = z
  .array(
    z
      .object({
        name: z.string().describe('What is typed after ssh'),
        address: z.string(),
        port: z.int(),
        user: z.string(),
        vmid: z.int().nullable(),
        cluster: z.string().nullable(),
        source: z.enum(['guest', 'setting']),
        state: z
          .enum(TARGET_STATES)
          .describe(
            'new, changed: sync-names would take it in so; gone: the guest is there no more; unknown: its cluster is not known in whole',
          ),
        host_key: z.string().nullable().describe('Type and base64; null before the first contact'),
        key_origin: z
          .enum(['setting', 'contact'])
          .nullable()
          .describe('Whether PLUMBLINE_SSH_TARGETS says it, or the first contact showed it'),
        shown_key: z
          .string()
          .nullable()
          .describe('Another key, which it showed at the last contact and which is not taken for its own'),
        shown_at: instant().nullable().describe('Since when it shows that other key'),
        contacted_at: instant()
          .nullable()
          .describe('When it showed a host key last; null for not since the process was started'),
        released: z.boolean().describe('Whether it stands so in the configuration of the gateway'),
      })
      .meta({ id: 'SshTarget' }),
  )
  .meta({ id: 'SshTargets' })

const names = () => z.array(z.string())

/** A word of the contract. */
export const LOST = 'gone'

export const SyncedNames = z
  .object({
    success: z.literal(true),
    dry_run: z.boolean().describe('Whether nothing was saved'),
    complete: z
      .boolean()
      .nullable()
      .describe('Whether all clusters have shown all that they have; null where none is configured'),
    added: names(),
    renamed: z.array(z.object({ from: z.string(), to: z.string() })),
    moved: z
      .array(z.object({ name: z.string(), from: z.string(), to: z.string() }))
      .describe('What leads elsewhere from now on'),
    [LOST]: names().describe('Of guests that are there no more; the rows stay until they are forgotten'),
    removed: names().describe('Taken out of the setting, or excluded by the tag no-ssh'),
    forgotten: names(),
    unchanged: z.int(),
  })
  .meta({ id: 'SyncedSshTargets' })

export const PlannedNames = SyncedNames.extend(Planned.shape).meta({ id: 'PlannedSshTargets' })
