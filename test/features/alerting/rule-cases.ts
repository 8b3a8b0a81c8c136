/** What each rule is tried with: series in the notation of promtool, a value a minute. */
type Series = readonly (readonly [series: string, values: string])[]

export interface RuleCase {
  readonly alert: string
  readonly severity: string
  readonly series: Series
  /** The minute in which it fires; in the one before it is silent. */
  readonly fires_at: number
  /** Beside its severity. */
  readonly labels?: Readonly<Record<string, string>>
  readonly summary: string
}

const at = (job: string) => ({ job, instance: `${job}:1` })
const series = (name: string, job: string, more = '') => `${name}{job="${job}",instance="${job}:1"${more}}`
const down = (job: string): Series => [[series('up', job), '0x60']]
const ceph = (name: string, more = '') => `${name}{job="ceph",instance="mgr-a:9283"${more}}`
const slow: Series = [[ceph('ceph_healthcheck_slow_ops'), '4x60']]
const ofCeph = { job: 'ceph', instance: 'ceph' }
const ofDaemon = (name: string) => ({ job: 'ceph', ceph_daemon: name, instance: name })

const requests = (code: string, more: string) =>
  `traefik_entrypoint_requests_total{job="traefik",instance="traefik:1",entrypoint="websecure",code="${code}"${more}}`
const bucket = (le: string, protocol = 'http') =>
  `traefik_entrypoint_request_duration_seconds_bucket{job="traefik",instance="traefik:1",entrypoint="websecure",protocol="${protocol}",le="${le}"}`
const buckets = (slow_ones: string, protocol = 'http'): Series => [
  [bucket('2', protocol), '0x60'],
  [bucket('5', protocol), slow_ones],
  [bucket('+Inf', protocol), slow_ones],
]
const samples = (type: string) =>
  series('prometheus_tsdb_head_samples_appended_total', 'prometheus', `,type="${type}"`)
const failures = series(
  'alertmanager_notifications_failed_total',
  'alertmanager',
  ',integration="email",reason="other"',
)
const memory = (job: string, bytes: string): Series => [
  [series('process_resident_memory_bytes', job), `${bytes}x60`],
]

export const RULE_CASES: readonly RuleCase[] = [
  {
    alert: 'MetricsServerUnreachable',
    severity: 'critical',
    series: down('prometheus'),
    fires_at: 3,
    labels: at('prometheus'),
    summary: 'The metrics server cannot be scraped',
  },
  {
    alert: 'MetricsServerMemory',
    severity: 'warning',
    series: memory('prometheus', '1000000001'),
    fires_at: 5,
    labels: at('prometheus'),
    summary: 'The metrics server uses 1GB of memory',
  },
  {
    alert: 'MetricsServerDiskFull',
    severity: 'warning',
    series: [
      [
        'node_filesystem_avail_bytes{job="node",instance="n:1",mountpoint="/var/lib/prometheus2",fstype="ext4"}',
        '9x60',
      ],
      [
        'node_filesystem_size_bytes{job="node",instance="n:1",mountpoint="/var/lib/prometheus2",fstype="ext4"}',
        '100x60',
      ],
      ['node_filesystem_avail_bytes{job="node",instance="n:1",mountpoint="/boot",fstype="ext4"}', '1x60'],
      ['node_filesystem_size_bytes{job="node",instance="n:1",mountpoint="/boot",fstype="ext4"}', '100x60'],
      ['node_filesystem_avail_bytes{job="node",instance="n:1",mountpoint="/",fstype="overlay"}', '1x60'],
      ['node_filesystem_size_bytes{job="node",instance="n:1",mountpoint="/",fstype="overlay"}', '100x60'],
    ],
    fires_at: 10,
    labels: { job: 'node', instance: 'n:1', mountpoint: '/var/lib/prometheus2', fstype: 'ext4' },
    summary: '/var/lib/prometheus2 is 91 % full',
  },
  {
    alert: 'NoNewMetrics',
    severity: 'warning',
    // The first two looks have no rate yet.
    series: [
      [samples('float'), '7x60'],
      [samples('histogram'), '0x60'],
    ],
    fires_at: 6,
    labels: at('prometheus'),
    summary: 'No new samples are stored',
  },
  {
    alert: 'ScrapeTargetUnreachable',
    severity: 'warning',
    series: [...down('nas'), ...down('grafana')],
    fires_at: 2,
    labels: at('nas'),
    summary: 'nas at nas:1 cannot be scraped',
  },
  {
    alert: 'ConfigReloadFailed',
    severity: 'warning',
    series: [
      [series('prometheus_config_last_reload_successful', 'prometheus'), '1x60'],
      [series('alertmanager_config_last_reload_successful', 'alertmanager'), '0x60'],
    ],
    fires_at: 1,
    labels: at('alertmanager'),
    summary: 'alertmanager refused its new configuration',
  },
  {
    alert: 'TooManySeries',
    severity: 'warning',
    series: [[series('prometheus_tsdb_head_series', 'prometheus'), '500001x60']],
    fires_at: 10,
    labels: at('prometheus'),
    summary: '500k time series',
  },
  {
    alert: 'AlertRouterUnreachable',
    severity: 'critical',
    series: down('alertmanager'),
    fires_at: 2,
    labels: at('alertmanager'),
    summary: 'The alert router cannot be scraped',
  },
  {
    alert: 'AlertRouterMemory',
    severity: 'warning',
    series: memory('alertmanager', '512000001'),
    fires_at: 5,
    labels: at('alertmanager'),
    summary: 'The alert router uses 512MB of memory',
  },
  {
    alert: 'EmailDeliveryFailing',
    severity: 'critical',
    series: [[failures, '0 1 1 1 1 1 2 2 2 2 2 3 3 3 3 3']],
    fires_at: 6,
    labels: { ...at('alertmanager'), integration: 'email' },
    summary: 'Alert mails are not delivered',
  },
  {
    alert: 'DashboardUnreachable',
    severity: 'warning',
    series: down('grafana'),
    fires_at: 2,
    labels: at('grafana'),
    summary: 'The dashboard service cannot be scraped',
  },
  {
    alert: 'DashboardMemory',
    severity: 'warning',
    series: memory('grafana', '1000000001'),
    fires_at: 5,
    labels: at('grafana'),
    summary: 'The dashboard service uses 1GB of memory',
  },
  {
    alert: 'ProxyMetricsUnreachable',
    severity: 'warning',
    series: down('traefik'),
    fires_at: 2,
    labels: at('traefik'),
    summary: 'The metrics of the proxy cannot be scraped',
  },
  {
    alert: 'ProxyServerErrors',
    severity: 'critical',
    series: [
      [requests('200', ''), '0+97x60'],
      [requests('503', ''), '0+3x60'],
    ],
    fires_at: 6,
    labels: at('traefik'),
    summary: '3% of requests end in a server error',
  },
  {
    alert: 'ProxyLatencyHigh',
    severity: 'warning',
    series: buckets('0+60x60'),
    fires_at: 6,
    labels: at('traefik'),
    summary: 'P99 of the proxy is 4.97s',
  },
  {
    alert: 'MonitoringDegraded',
    severity: 'critical',
    series: [...down('grafana'), ...down('snmp_exporter'), ...down('nas')],
    fires_at: 5,
    labels: { instance: 'monitoring' },
    summary: '2 monitoring components are down',
  },
  {
    alert: 'CephSlowOps',
    severity: 'warning',
    series: slow,
    fires_at: 5,
    labels: ofCeph,
    summary: '4 slow operations',
  },
  {
    alert: 'CephSlowOps',
    severity: 'high',
    series: slow,
    fires_at: 15,
    labels: ofCeph,
    summary: '4 slow operations for 15 minutes',
  },
  {
    alert: 'CephSlowOps',
    severity: 'critical',
    series: slow,
    fires_at: 30,
    labels: ofCeph,
    summary: '4 slow operations for 30 minutes',
  },
  {
    alert: 'CephOsdDown',
    severity: 'critical',
    series: [
      [ceph('ceph_osd_up', ',ceph_daemon="osd.0"'), '1x60'],
      [ceph('ceph_osd_up', ',ceph_daemon="osd.1"'), '0x60'],
    ],
    fires_at: 1,
    labels: ofDaemon('osd.1'),
    summary: 'osd.1 is down',
  },
  {
    alert: 'CephMonitorOutOfQuorum',
    severity: 'critical',
    series: [[ceph('ceph_mon_quorum_status', ',ceph_daemon="mon.a"'), '1 1 1 0x60']],
    fires_at: 3,
    labels: ofDaemon('mon.a'),
    summary: 'mon.a is out of the quorum',
  },
  {
    alert: 'CephPgsDegraded',
    severity: 'warning',
    series: [
      [ceph('ceph_pg_degraded', ',pool_id="1"'), '2x60'],
      [ceph('ceph_pg_degraded', ',pool_id="2"'), '3x60'],
    ],
    fires_at: 5,
    labels: ofCeph,
    summary: '5 placement groups are degraded',
  },
  {
    alert: 'CephHealthWarning',
    severity: 'warning',
    series: [[ceph('ceph_health_status'), '1x60']],
    fires_at: 15,
    labels: ofCeph,
    summary: 'The storage cluster reports HEALTH_WARN',
  },
  {
    alert: 'CephOsdLatencyHigh',
    severity: 'warning',
    series: [[ceph('ceph_osd_apply_latency_ms', ',ceph_daemon="osd.3"'), '101x60']],
    fires_at: 10,
    labels: ofDaemon('osd.3'),
    summary: 'osd.3 needs 101 ms to apply',
  },
]

const up = (job: string): Series => [[series('up', job), '1x60']]

/** Everything answers, and every figure is at the last value that is no alert. */
export const HEALTHY: Series = [
  ...['prometheus', 'alertmanager', 'grafana', 'traefik', 'node'].flatMap(up),
  ...memory('prometheus', '1000000000'),
  ...memory('alertmanager', '512000000'),
  ...memory('grafana', '1000000000'),
  ['node_filesystem_avail_bytes{job="node",instance="n:1",mountpoint="/",fstype="ext4"}', '10x60'],
  ['node_filesystem_size_bytes{job="node",instance="n:1",mountpoint="/",fstype="ext4"}', '100x60'],
  [samples('float'), '0+10x60'],
  [samples('histogram'), '0x60'],
  [series('prometheus_config_last_reload_successful', 'prometheus'), '1x60'],
  [series('alertmanager_config_last_reload_successful', 'alertmanager'), '1x60'],
  [series('prometheus_tsdb_head_series', 'prometheus'), '500000x60'],
  [failures, '3x60'],
  [requests('200', ''), '0+98x60'],
  [requests('503', ''), '0+2x60'],
  [bucket('2'), '0+100x60'],
  [bucket('5'), '0+100x60'],
  [bucket('+Inf'), '0+100x60'],
  ...buckets('0+50x60', 'websocket'),
  [ceph('ceph_healthcheck_slow_ops'), '0x60'],
  [ceph('ceph_osd_up', ',ceph_daemon="osd.0"'), '1x60'],
  [ceph('ceph_mon_quorum_status', ',ceph_daemon="mon.a"'), '1x60'],
  [ceph('ceph_pg_degraded', ',pool_id="1"'), '0x60'],
  [ceph('ceph_health_status'), '0x60'],
  [ceph('ceph_osd_apply_latency_ms', ',ceph_daemon="osd.3"'), '100x60'],
]

interface MoreCase {
  readonly title: string
  readonly series: Series
  readonly at: string
  readonly of: readonly Pick<RuleCase, 'alert' | 'severity' | 'series' | 'fires_at' | 'labels' | 'summary'>[]
  readonly silent?: true
}

const caseOf = (alert: string, severity?: string): RuleCase =>
  RULE_CASES.find((one) => one.alert === alert && (severity === undefined || one.severity === severity))!

/** Traps of the series. */
export const MORE: readonly MoreCase[] = [
  {
    title: 'slow operations outlast a manager that moves',
    series: [
      ['ceph_healthcheck_slow_ops{job="ceph",instance="mgr-a:9283"}', '4x10 stale'],
      ['ceph_healthcheck_slow_ops{job="ceph",instance="mgr-b:9283"}', '_x10 4x40'],
    ],
    at: '30m',
    of: [caseOf('CephSlowOps', 'warning'), caseOf('CephSlowOps', 'high'), caseOf('CephSlowOps', 'critical')],
  },
  {
    title: 'a job that is gone is as bad as one that is down',
    series: up('traefik'),
    at: '2m',
    of: [{ ...caseOf('DashboardUnreachable'), labels: { job: 'grafana' } }],
  },
  {
    title: 'failing mails that end are over',
    series: [[failures, '0 1 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2']],
    at: '15m',
    of: [caseOf('EmailDeliveryFailing')],
    silent: true,
  },
  {
    title: 'two others that are down are no degraded monitoring',
    series: [...down('nas'), ...down('printer')],
    at: '30m',
    of: [caseOf('MonitoringDegraded')],
    silent: true,
  },
]
