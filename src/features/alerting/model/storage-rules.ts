/**
 * The rules about the storage cluster. The active manager moves, and its address with it: `instance` is aggregated away, or a
 * duration would begin anew, and one that people read is set instead.
 */
import type { Rule, RuleGroup, RuleSeverity } from './rule.ts'

const slowOps = (lasting: string, severity: RuleSeverity, since: string): Rule => ({
  alert: 'CephSlowOps',
  expr: 'max by (job, cluster) (ceph_healthcheck_slow_ops) > 0',
  lasting,
  severity,
  instance: 'ceph',
  summary: `{{ $value }} slow operations${since}`,
  description: 'ceph health detail names the OSDs.',
})

const DAEMON = '{{ $labels.ceph_daemon }}'

export const STORAGE_RULES: RuleGroup = {
  name: 'storage',
  rules: [
    slowOps('5m', 'warning', ''),
    slowOps('15m', 'high', ' for 15 minutes'),
    slowOps('30m', 'critical', ' for 30 minutes'),
    {
      alert: 'CephOsdDown',
      expr: 'min by (job, cluster, ceph_daemon) (ceph_osd_up) == 0',
      lasting: '1m',
      severity: 'critical',
      instance: DAEMON,
      summary: `${DAEMON} is down`,
      description: 'ceph osd tree shows where it stands.',
    },
    {
      alert: 'CephMonitorOutOfQuorum',
      expr: 'min by (job, cluster, ceph_daemon) (ceph_mon_quorum_status) == 0',
      lasting: null,
      severity: 'critical',
      instance: DAEMON,
      summary: `${DAEMON} is out of the quorum`,
      description: 'ceph quorum_status shows who is in it; check its clock and network.',
    },
    {
      alert: 'CephPgsDegraded',
      expr: 'sum by (job, cluster) (max without (instance) (ceph_pg_degraded)) > 0',
      lasting: '5m',
      severity: 'warning',
      instance: 'ceph',
      summary: '{{ $value }} placement groups are degraded',
      description: 'Copies are missing until recovery ends.',
    },
    {
      alert: 'CephHealthWarning',
      expr: 'max by (job, cluster) (ceph_health_status) == 1',
      lasting: '15m',
      severity: 'warning',
      instance: 'ceph',
      summary: 'The storage cluster reports HEALTH_WARN',
      description: 'ceph health detail says why.',
    },
    {
      alert: 'CephOsdLatencyHigh',
      expr: 'max by (job, cluster, ceph_daemon) (ceph_osd_apply_latency_ms) > 100',
      lasting: '10m',
      severity: 'warning',
      instance: DAEMON,
      summary: `${DAEMON} needs {{ $value }} ms to apply`,
      description: 'Above 100 ms.',
    },
  ],
}
