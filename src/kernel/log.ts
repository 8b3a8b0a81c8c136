/** What a log must do: a constant message, the facts as pairs. One line per outcome, at the place that knows it. */
export type Facts = Readonly<Record<string, unknown>>

export interface Log {
  debug(message: string, facts?: Facts): void
  info(message: string, facts?: Facts): void
  warn(message: string, facts?: Facts): void
  error(message: string, facts?: Facts): void
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} }
