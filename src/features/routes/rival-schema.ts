/** The shape of what stands beside a router of ours in the proxy. */
import { z } from 'zod'
import type { Answered } from '../../http/contract.ts'

export const STANCES = ['takes_all', 'ties', 'takes_some', 'not_judged', 'redirects_too'] as const

const RIVAL_STANCES = [...STANCES, 'defined_first'] as const

export const Rival = z.object({
  item: z.string().describe('Of ours, as the routes file names it'),
  domains: z.array(z.string()).describe('Empty for what several share'),
  stance: z
    .enum(RIVAL_STANCES)
    .describe(
      'takes_all: it is asked first and takes every request. ties: the same with the same priority. defined_first: another ' +
        'file has the name. These are drift (shadowed). takes_some, not_judged, redirects_too: listed, and no drift',
    ),
  provider: z.string(),
  router: z.string().nullable().describe('Its name with its provider; null for a definition of our own name'),
  file: z
    .string()
    .nullable()
    .describe('Below the folder of the routes file, where it is in one that can be read'),
  rule: z.string().nullable(),
  priority: z.number().nullable().describe('In effect'),
  detail: z.string(),
})
export type Rival = Answered<typeof Rival>
