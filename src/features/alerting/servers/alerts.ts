/** Alerts and silences of the router, by its API of version 2. */
import { z } from 'zod'
import { type Answer, ask, jsonIn, type Server } from './ask.ts'

const Listed = z.array(
  z.object({
    labels: z.record(z.string(), z.string()),
    annotations: z.record(z.string(), z.string()),
    startsAt: z.iso.datetime({ offset: true }),
    fingerprint: z.string(),
    status: z.object({
      silencedBy: z.array(z.string()),
      inhibitedBy: z.array(z.string()),
    }),
  }),
)

export type RoutedAlert = z.output<typeof Listed>[number]

/** All that fire, whoever keeps them from being told. */
export const routedAlerts = (
  alertmanager: Server,
  signal: AbortSignal,
): Promise<Answer<readonly RoutedAlert[]>> =>
  ask(alertmanager, { path: '/api/v2/alerts' }, (text) => Listed.safeParse(jsonIn(text)).data ?? null, signal)

export interface Silence {
  /** Each has to be equal; never a pattern. */
  readonly labels: Readonly<Record<string, string>>
  readonly starts_at: string
  readonly ends_at: string
  readonly created_by: string
  readonly comment: string
}

const Saved = z.object({ silenceID: z.string() })

/** Its id. */
export const addSilence = (alertmanager: Server, silence: Silence, signal: AbortSignal) =>
  ask(
    alertmanager,
    {
      path: '/api/v2/silences',
      json: {
        matchers: Object.entries(silence.labels).map(([name, value]) => ({
          name,
          value,
          isRegex: false,
          isEqual: true,
        })),
        startsAt: silence.starts_at,
        endsAt: silence.ends_at,
        createdBy: silence.created_by,
        comment: silence.comment,
      },
    },
    (text) => Saved.safeParse(jsonIn(text)).data?.silenceID ?? null,
    signal,
  )

export interface FiredAlert {
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly starts_at: string
  readonly ends_at: string
}

export const fireAlert = (
  alertmanager: Server,
  { labels, annotations, starts_at, ends_at }: FiredAlert,
  signal: AbortSignal,
) =>
  ask(
    alertmanager,
    { path: '/api/v2/alerts', json: [{ labels, annotations, startsAt: starts_at, endsAt: ends_at }] },
    () => true as const,
    signal,
  )
