/** The shapes of what is taken and answered about alerts. */
import { z } from 'zod'
import { Planned } from '../../http/common-views.ts'
import { RULE_SEVERITIES } from './model/rule.ts'
import { instant } from '../../http/body/scalars.ts'

export const RoutedAlertView = z
  .object({
    name: z.string(),
    severity: z.string().nullable(),
    instance: z.string().nullable(),
    since: instant(),
    summary: z.string().nullable(),
    description: z.string().nullable(),
    state: z
      .enum(['firing', 'acknowledged', 'covered'])
      .describe(
        'acknowledged: a silence matches it; covered: something worse of the same kind is told instead',
      ),
    silences: z.array(z.string()).describe('Ids of the silences that match it'),
  })
  .meta({ id: 'RoutedAlert' })

const label = () =>
  z
    .string()
    .min(1)
    .max(256)
    // oxlint-disable-next-line no-control-regex
    .regex(/^[^\u0000-\u001f\u007f]*$/, 'must not hold control characters')

const MINUTE_S = 60
const WEEK_S = 7 * 86_400
const TWO_HOURS_S = 7_200

export const AlertAck = z
  .strictObject({
    name: label().describe('Of the alert'),
    instance: label().optional().describe('Only that of this instance'),
    severity: label().optional().describe('Only that of this severity'),
    for_seconds: z
      .int()
      .min(MINUTE_S)
      .max(WEEK_S)
      .optional()
      .describe(`How long; where it still fires then, it is told again. Default ${TWO_HOURS_S}`),
    comment: label().optional().describe('Shown beside the silence'),
  })
  .meta({ id: 'AlertAck', examples: [{ name: 'CephOsdDown', instance: 'osd.3', for_seconds: TWO_HOURS_S }] })

export const ackOf = ({ name, instance, severity, for_seconds, comment }: z.output<typeof AlertAck>) => ({
  name,
  instance,
  severity,
  lasting_ms: (for_seconds ?? TWO_HOURS_S) * 1000,
  comment: comment ?? 'Acknowledged over Plumbline',
})

export const AlertAcknowledged = z
  .object({
    success: z.literal(true),
    message: z.string(),
    silence: z.string().nullable().describe('The id of the first silence at the router; null of a dry run'),
    silences: z
      .array(z.string())
      .describe('Ids of all: one for each name, instance and severity that fires; empty of a dry run'),
    until: instant(),
    alerts: z
      .array(RoutedAlertView)
      .describe('What they keep from being told further, as it was before; nothing else is kept back'),
  })
  .meta({ id: 'AlertAcknowledged' })

export const PlannedAck = AlertAcknowledged.extend(Planned.shape).meta({ id: 'PlannedAlertAcknowledgement' })

export const AlertTest = z
  .strictObject({ severity: z.enum(RULE_SEVERITIES).optional().describe('Default warning') })
  .meta({ id: 'AlertTest', examples: [{ severity: 'critical' }] })

export const AlertTested = z
  .object({
    success: z.literal(true),
    message: z.string(),
    name: z.string(),
    until: instant().describe('When it is over; what is told of its end comes after that'),
  })
  .meta({ id: 'AlertTested' })
