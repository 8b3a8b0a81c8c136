/** Metrics that count nothing, for what is built without a daemon around it. */
import type { Metrics } from '../../src/kernel/metrics.ts'

export const silentMetrics: Metrics = { count() {}, gauge() {}, forget() {}, observe() {} }
