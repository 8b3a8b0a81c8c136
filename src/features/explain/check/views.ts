/** The shape of the look at a new name, declared once. */
import { z } from 'zod'
import type { Answered } from '../../../http/contract.ts'

const CHECK_PARTS = [
  'name',
  'zone',
  'free_here',
  'free_at_provider',
  'certificate',
  'address',
  'backend',
] as const

const CHECK_RESULTS = ['ok', 'no', 'unknown'] as const

export const CheckedPart = z.object({
  part: z.enum(CHECK_PARTS),
  result: z.enum(CHECK_RESULTS).describe('unknown: it was not found out, and blocks nobody'),
  detail: z.string(),
  domain_id: z.int().nullable().describe('The record that has the name already; else null'),
})
export type CheckedPart = Answered<typeof CheckedPart>

export const Checked = z
  .object({
    checks: z.array(CheckedPart),
  })
  .meta({ id: 'DomainCheck' })
