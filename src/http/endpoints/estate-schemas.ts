/** The shapes of a whole estate on its way in, and what became of it. */
import { z } from 'zod'
import { deployment } from './deployment-schemas.ts'
import { Plan, writable } from './schemas.ts'

export const EstateRequest = z
  .strictObject({
    domains: z
      .array(
        z.strictObject({
          ...z.object(writable).partial().shape,
          domain: writable.domain,
          status: z
            .enum(['active', 'inactive', 'disabled'])
            .optional()
            .describe('Left out: a record that is there keeps its status, a new one is inactive'),
        }),
      )
      .min(1)
      .max(10_000),
  })
  .meta({ id: 'EstateRequest' })

const estateLists = {
  created: z.array(z.string()),
  updated: z.array(z.string()),
  unchanged: z.array(z.string()),
}

export const EstateApplied = z.object({ ...estateLists, ...deployment }).meta({ id: 'EstateResult' })
export const EstatePlanned = z
  .object({ ...estateLists, dry_run: z.literal(true), plan: Plan })
  .meta({ id: 'EstatePlan' })
