/** The shape of the answers about keys, declared once. */
import { z } from 'zod'
import type { Answered } from '../../http/contract.ts'
import { instant } from '../../http/body/scalars.ts'

const KEY_STATES = ['valid', 'rotation_due', 'ending', 'ended'] as const

export const KEY_ACCESS = ['everything', 'read'] as const

export const KeyView = z
  .object({
    id: z.string(),
    name: z.string().describe('main: the one of API_KEY, or of the file api-key in the data directory'),
    state: z
      .enum(KEY_STATES)
      .describe('rotation_due: older than the quarter and without a successor, valid all the same'),
    access: z.enum(KEY_ACCESS).describe('read: it may look at everything and change nothing'),
    created_at: instant().describe('When it was issued; of the main key, when it was first seen'),
    expires_at: instant().nullable().describe('Null while it is valid without end'),
    last_used_at: instant().nullable().describe('Since the start of the daemon'),
  })
  .meta({ id: 'ApiKey' })
export type KeyView = Answered<typeof KeyView>

const answer_fields = { success: z.literal(true), message: z.string(), key_info: KeyView }

export const KeyMadeAnswer = z
  .object({ ...answer_fields, key: z.string().describe('The key. It is shown this once') })
  .meta({ id: 'ApiKeyIssued' })
export type KeyMadeAnswer = Answered<typeof KeyMadeAnswer>

export const KeyAnswer = z.object(answer_fields).meta({ id: 'ApiKeyRevoked' })
export type KeyAnswer = Answered<typeof KeyAnswer>
