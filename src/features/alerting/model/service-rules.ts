/** The rules about the metrics server, the alert router, the dashboard service, the proxy, and all of them together. */
import { isDown, type Jobs, literally, ofJob, type RuleGroup } from './rule.ts'

const GB = 1e9
const MB = 1e6

const memory = (job: string, above: number): string => `process_resident_memory_bytes${ofJob(job)} > ${above}`

/** @param mounts mount points; a `*` at the end of one stands for anything */
export const metricsServerRules = (
  { prometheus, alertmanager, grafana, traefik }: Jobs,
  mounts: readonly string[],
): RuleGroup => ({
  name: 'metrics-server',
  rules: [
    {
      alert: 'MetricsServerUnreachable',
      expr: isDown(prometheus),
      lasting: '3m',
      severity: 'critical',
      summary: 'The metrics server cannot be scraped',
      description:
        'Prometheus does not answer its own scrape. While it is down nobody evaluates rules; Plumbline tells that over its own channels.',
    },
    {
      alert: 'MetricsServerMemory',
      expr: memory(prometheus, GB),
      lasting: '5m',
      severity: 'warning',
      summary: 'The metrics server uses {{ $value | humanize }}B of memory',
      description: 'Above 1 GB. Look for a target with many series (Status, TSDB Status).',
    },
    {
      alert: 'MetricsServerDiskFull',
      // What is free for root alone is free for nobody here.
      expr:
        `(1 - node_filesystem_avail_bytes{mountpoint=~"${mounts.map(mountPattern).join('|')}",fstype!~"tmpfs|overlay|squashfs"}` +
        ' / node_filesystem_size_bytes) * 100 > 90',
      lasting: '10m',
      severity: 'warning',
      summary: '{{ $labels.mountpoint }} is {{ printf "%.0f" $value }} % full',
      description: 'Shorten the retention or enlarge the disk; a full disk stops ingestion.',
    },
    {
      alert: 'NoNewMetrics',
      // Two series, one of which may stay 0 for ever: their sum tells.
      expr:
        `sum by (job, instance) (rate(prometheus_tsdb_head_samples_appended_total${ofJob(prometheus)}[3m])) == 0` +
        ` or absent(prometheus_tsdb_head_samples_appended_total${ofJob(prometheus)})`,
      lasting: '5m',
      severity: 'warning',
      summary: 'No new samples are stored',
      description:
        'Targets may answer and still nothing is kept; look at the log for "out of bounds" or disk errors.',
    },
    {
      alert: 'ScrapeTargetUnreachable',
      // Those have rules of their own.
      expr: `up{job!~"${[prometheus, alertmanager, grafana, traefik].map(literally).join('|')}"} == 0`,
      lasting: '2m',
      severity: 'warning',
      summary: '{{ $labels.job }} at {{ $labels.instance }} cannot be scraped',
      description: 'The target does not answer, or answers with an error.',
    },
    {
      alert: 'ConfigReloadFailed',
      expr: 'prometheus_config_last_reload_successful == 0 or alertmanager_config_last_reload_successful == 0',
      lasting: '1m',
      severity: 'warning',
      summary: '{{ $labels.job }} refused its new configuration',
      description: 'It runs with the old one. promtool check config or amtool check-config names the fault.',
    },
    {
      alert: 'TooManySeries',
      expr: `prometheus_tsdb_head_series${ofJob(prometheus)} > 500000`,
      lasting: '10m',
      severity: 'warning',
      summary: '{{ $value | humanize }} time series',
      description: 'Above 500k. Find the metric that grew: topk(10, count by (__name__) ({__name__=~".+"})).',
    },
  ],
})

const mountPattern = (mount: string): string =>
  mount.endsWith('*') ? `${literally(mount.slice(0, -1))}.*` : literally(mount)

export const alertRouterRules = ({ alertmanager }: Jobs): RuleGroup => ({
  name: 'alert-router',
  rules: [
    {
      alert: 'AlertRouterUnreachable',
      expr: isDown(alertmanager),
      lasting: '2m',
      severity: 'critical',
      summary: 'The alert router cannot be scraped',
      description: 'A single router cannot mail that it is down; Plumbline tells that over its own channels.',
    },
    {
      alert: 'AlertRouterMemory',
      expr: memory(alertmanager, 512 * MB),
      lasting: '5m',
      severity: 'warning',
      summary: 'The alert router uses {{ $value | humanize }}B of memory',
      description: 'Above 512 MB.',
    },
    {
      alert: 'EmailDeliveryFailing',
      // It rises once in five minutes while mails fail, and later versions have it by reason.
      expr: 'sum by (job, instance, integration) (increase(alertmanager_notifications_failed_total{integration="email"}[10m])) > 0',
      lasting: '5m',
      severity: 'critical',
      summary: 'Alert mails are not delivered',
      description: 'Check the mail server and its password; Plumbline tells that over its own channels.',
    },
  ],
})

export const dashboardRules = ({ grafana }: Jobs): RuleGroup => ({
  name: 'dashboard',
  rules: [
    {
      alert: 'DashboardUnreachable',
      expr: isDown(grafana),
      lasting: '2m',
      severity: 'warning',
      summary: 'The dashboard service cannot be scraped',
      description: 'Grafana does not answer under /metrics.',
    },
    {
      alert: 'DashboardMemory',
      expr: memory(grafana, GB),
      lasting: '5m',
      severity: 'warning',
      summary: 'The dashboard service uses {{ $value | humanize }}B of memory',
      description: 'Above 1 GB.',
    },
  ],
})

const REQUESTS = 'traefik_entrypoint_requests_total'
/** Entry points that serve the proxy's own pages. */
const FOREIGN = 'entrypoint!~"traefik|metrics"'

export const proxyRules = ({ traefik }: Jobs): RuleGroup => ({
  name: 'proxy',
  rules: [
    {
      alert: 'ProxyMetricsUnreachable',
      expr: isDown(traefik),
      lasting: '2m',
      severity: 'warning',
      summary: 'The metrics of the proxy cannot be scraped',
      description: 'Traffic may still flow; alerts on errors and latency are blind.',
    },
    {
      alert: 'ProxyServerErrors',
      expr:
        `sum by (job, instance) (rate(${REQUESTS}{code=~"5..",${FOREIGN}}[5m]))` +
        ` / sum by (job, instance) (rate(${REQUESTS}{${FOREIGN}}[5m])) > 0.02`,
      lasting: '5m',
      severity: 'critical',
      summary: '{{ $value | humanizePercentage }} of requests end in a server error',
      description: 'Above 2 %. traefik_service_requests_total by service shows which backend.',
    },
    {
      alert: 'ProxyLatencyHigh',
      // A websocket lasts for hours, and no request of it was slow.
      expr:
        'histogram_quantile(0.99, sum by (job, instance, le) (rate(' +
        `traefik_entrypoint_request_duration_seconds_bucket{protocol!~"websocket|sse",${FOREIGN}}[5m]))) > 2`,
      lasting: '5m',
      severity: 'warning',
      summary: 'P99 of the proxy is {{ $value | humanizeDuration }}',
      description: 'Above 2 s. The default buckets cannot tell 2 s: set 0.1, 0.3, 1, 2, 5 in Traefik.',
    },
  ],
})

export const monitoringRules = (jobs: Jobs): RuleGroup => ({
  name: 'monitoring',
  rules: [
    {
      alert: 'MonitoringDegraded',
      expr: `count(up{job=~"${[...Object.values(jobs).map(literally), '.*exporter'].join('|')}"} == 0) >= 2`,
      lasting: '5m',
      severity: 'critical',
      instance: 'monitoring',
      summary: '{{ $value }} monitoring components are down',
      description: 'Two or more at once usually mean the host or its network.',
    },
  ],
})
