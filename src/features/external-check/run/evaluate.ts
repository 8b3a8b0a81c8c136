/**
 * From probes to the result: the hub is down when neither a ping nor port 443 answers, degraded when it answers and another
 * check is down. Pure.
 */
import { type Instant, isoTime } from '../../../kernel/clock.ts'
import {
  EXTERNAL_PROBES,
  type ExternalProbes,
  type ExternalResult,
} from '../../../model/network/external-check.ts'

const POINTS = 100 / EXTERNAL_PROBES.length

export function evaluateProbes(probes: ExternalProbes, at: Instant): ExternalResult {
  const { dns, ping, https, prometheus, grafana } = probes
  const checks = {
    dns: upIf(dns.passed),
    connectivity: upIf(ping.passed || https.answers),
    prometheus: upIf(prometheus.passed),
    grafana: upIf(grafana.passed),
  }
  const is_all_up = Object.values(checks).every((state) => state === 'up')
  return {
    timestamp: isoTime(at),
    unix_timestamp: Math.floor(at / 1000),
    status: checks.connectivity === 'down' ? 'down' : is_all_up ? 'up' : 'degraded',
    connectivity_score: POINTS * EXTERNAL_PROBES.filter((name) => probes[name].passed).length,
    checks,
  }
}

const upIf = (passed: boolean): 'up' | 'down' => (passed ? 'up' : 'down')
