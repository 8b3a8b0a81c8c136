/** The shapes of a whole estate on its way in, and what became of it. */
import { z } from 'zod'
import { deployment } from '../../http/deployment-views.ts'
import { asked, NEW_RECORD_RULES } from '../domains/api/forms.ts'
import { fieldChanges, Plan } from '../../http/common-views.ts'

export const EstateRequest = z
  .strictObject({
    domains: z
      .array(
        z
          .strictObject({
            ...z.object(asked).partial().shape,
            domain: asked.domain,
            status: z
              .enum(['active', 'inactive', 'disabled'])
              .optional()
              .describe('Left out: a record that is there keeps its status, a new one is inactive'),
          })
          .meta({
            id: 'EstateEntry',
            // What an entry leaves out is the default, for a record that is there too: so it stands for a whole record.
            required: ['domain', 'service_type', 'environment'],
            allOf: NEW_RECORD_RULES,
          }),
      )
      .min(1)
      .max(10_000)
      .meta({ uniqueItems: true })
      .describe('No name twice'),
    deletes: z
      .array(z.string().max(253))
      .max(10_000)
      .optional()
      .describe('Names of records that are deleted in the same release; none that stands in `domains`'),
    replaces: z
      .array(
        z.strictObject({
          router: z.string().describe('With its provider: app@file'),
          rule: z.string(),
          middlewares: z.array(z.string()).describe('With their providers, in order'),
        }),
      )
      .max(20_000)
      .optional()
      .describe(
        'Routers of the proxy that the records are made of, so that outranking them needs no confirmation; one that the proxy runs otherwise is not meant',
      ),
  })
  .meta({
    id: 'EstateRequest',
    examples: [
      {
        domains: [
          {
            domain: 'shop.example.com',
            service_type: 'http',
            environment: 'production',
            backend_host: '10.0.0.6',
            backend_port: 8080,
            status: 'inactive',
          },
        ],
      },
    ],
  })

const estateLists = {
  created: z.array(z.string()),
  updated: z.array(z.string()),
  unchanged: z.array(z.string()),
  deleted: z.array(z.string()),
  changed: z
    .array(z.object({ domain: z.string(), fields: fieldChanges }))
    .describe('Of each that is updated, what is other than it was saved, `status` among it'),
}

export const EstateApplied = z.object({ ...estateLists, ...deployment }).meta({ id: 'EstateResult' })
export const EstatePlanned = z
  .object({ ...estateLists, dry_run: z.literal(true), plan: Plan })
  .meta({ id: 'EstatePlan' })
