/**
 * Alerts that a real Prometheus fires and real routers mail, over the configuration that a house has written: as it stands
 * there, or with a shorter wait in a copy.
 */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { request } from 'undici'
import { expect } from 'vitest'
import type { Clock } from '../../src/kernel/clock.ts'
import { freePorts } from '../kit/ports.ts'
import { type Alertmanager, startAlertmanager } from '../peers/alertmanager.ts'
import { startPrometheus } from '../peers/prometheus.ts'
import { type AlertingWorld, alertingWorld, partOf, WITHIN } from './alerting-world.ts'
import type { TestHouse } from './test-house.ts'

export const PRIMARY = 'ops@example.org'
export const SECONDARY = 'night@example.org'

interface Told {
  readonly status: 'firing' | 'resolved'
  /** Milliseconds after the alert was made to fire. */
  readonly after_ms: number
}

export interface RouterUnderTest {
  readonly url: string
  /** As after a new package: what it keeps on its disk stays. */
  readonly restart: () => Promise<void>
  readonly reload: () => Promise<void>
  /** What one of the two was told of an alert, in its order. */
  readonly told: (who: string, row: string) => readonly Told[]
}

export interface Escalation {
  readonly at: TestHouse
  readonly world: AlertingWorld
  /** The first one is the router that the house knows. */
  readonly routers: readonly RouterUnderTest[]
  /** Alerts of our own severity `critical` begin to fire, one for each row. */
  readonly fire: (...rows: readonly string[]) => void
  readonly end: (row: string) => void
  close(): Promise<void>
}

export interface EscalationOptions {
  readonly routers?: number
  /** In seconds; left out: the five minutes of the file itself. */
  readonly wait_s?: number
  readonly clock?: Clock
  readonly env?: Readonly<Record<string, string>>
}

export async function escalation({
  routers: count = 1,
  wait_s,
  clock,
  env,
}: EscalationOptions = {}): Promise<Escalation> {
  const world = await alertingWorld()
  const fires = await rowsThatFire()
  const ports = await freePorts(count - 1)
  const running: { stop(): Promise<void> }[] = []
  const at = await world.open(
    { ALERT_EMAIL: PRIMARY, ALERT_EMAIL_SECONDARY: SECONDARY, ...env },
    clock && { clock },
  )
  const config = await configOf(world, wait_s)
  const arrivals: number[] = []
  world.sink.onMail(async () => void arrivals.push(performance.now()))
  const known = Number(new URL(world.router_url).port)
  const tellTold = (url: string) => (who: string, row: string) =>
    world.sink.mails.flatMap(({ to, email }, n): Told[] => {
      const text = email.text ?? ''
      const is_it = to.includes(who) && text.includes(`${url}/#`) && text.includes(`Instance: ${row}\n`)
      if (!is_it) return []
      const status = email.subject === '[FIRING] Escalation' ? 'firing' : 'resolved'
      return [{ status, after_ms: arrivals[n]! - fires.fired_at(row) }]
    })
  const routers = await Promise.all(
    [known, ...ports].map(async (port, n): Promise<RouterUnderTest> => {
      const storage = join(dirname(world.paths.rules), `storage-${n}`)
      const start = () => startAlertmanager(config, port, storage)
      let router: Alertmanager = await start()
      running.push({ stop: () => router.stop() })
      return {
        url: router.origin,
        async restart() {
          await router.stop()
          router = await start()
        },
        async reload() {
          expect((await request(`${router.origin}/-/reload`, { method: 'POST' })).statusCode).toBe(200)
        },
        told: tellTold(router.origin),
      }
    }),
  )
  await expect.poll(() => partOf(at, 'alert_routes'), WITHIN).toMatchObject({ ok: true })
  const rules = join(dirname(world.paths.rules), 'escalation.yml')
  writeFileSync(rules, RULES)
  running.push(
    await startPrometheus(
      `  - { job_name: rows, static_configs: [{ targets: ['127.0.0.1:${fires.port}'] }] }\n`,
      {
        rules,
        alertmanagers: [known, ...ports].map((port) => `127.0.0.1:${port}`),
        ...(wait_s !== undefined && { resend_delay: '1s' }),
      },
    ),
  )
  return {
    at,
    world,
    routers,
    fire: fires.fire,
    end: fires.end,
    async close() {
      for (const one of running) await one.stop()
      await fires.close()
      await world.close()
    },
  }
}

/** As somebody does it who was told. */
export async function acknowledge({ at }: Escalation, instance: string): Promise<void> {
  const body = { name: 'Escalation', instance, for_seconds: 3600 }
  const answer = await at.call('POST', '/api/alerts/ack', { body })
  expect(answer).toMatchObject({ status: 200, body: { success: true } })
}

const RULES = `
groups:
  - name: escalation
    rules:
      - alert: Escalation
        expr: escalation == 1
        labels: { severity: critical, instance: '{{ $labels.row }}' }
        annotations: { summary: A row of the table, description: It fires until it is made to end. }
`

/** The file that the house has written; with a shorter wait it is a copy, whose every other word is the same. */
async function configOf({ paths }: AlertingWorld, wait_s: number | undefined): Promise<string> {
  const read = () => {
    try {
      return readFileSync(paths.router, 'utf8') && readFileSync(paths.template, 'utf8')
    } catch {
      return ''
    }
  }
  await expect.poll(read, WITHIN).not.toBe('')
  if (wait_s === undefined) return paths.router
  const folder = join(dirname(paths.rules), 'short')
  mkdirSync(folder)
  const whole = readFileSync(paths.router, 'utf8')
  expect(whole.match(/group_wait: "5m"/g)).toHaveLength(2)
  const short = whole
    .replaceAll('group_wait: "5m"', `group_wait: "${wait_s}s"`)
    .replaceAll('group_wait: "10s"', 'group_wait: "1s"')
    .replaceAll('group_interval: "5m"', `group_interval: "${wait_s}s"`)
  writeFileSync(join(folder, 'alertmanager.yml'), short)
  copyFileSync(paths.template, join(folder, 'plumbline.tmpl'))
  return join(folder, 'alertmanager.yml')
}

/** What Prometheus scrapes: a series of each row, 1 while it is to fire. */
async function rowsThatFire() {
  const rows = new Map<string, 0 | 1>()
  const fired = new Map<string, number>()
  const server = createServer((_request, answer) =>
    answer
      .setHeader('content-type', 'text/plain; version=0.0.4')
      .end([...rows].map(([row, value]) => `escalation{row="${row}"} ${value}\n`).join('')),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    fire: (...names: readonly string[]) => {
      for (const row of names) {
        rows.set(row, 1)
        if (!fired.has(row)) fired.set(row, performance.now())
      }
    },
    end: (row: string) => void rows.set(row, 0),
    fired_at: (row: string) => fired.get(row) ?? NaN,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
