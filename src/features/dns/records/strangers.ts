/** Sets of ours in whose place somebody else's stand, as the last pass of each zone found. Pure. */
import type { Report } from '../../../model/report.ts'

/** Each as reports call it: `A www.example.com`. */
export const strangersIn = (reports: readonly Report[]): ReadonlySet<string> =>
  new Set(
    reports
      .filter(({ component }) => component === 'dns')
      .flatMap(({ refusals }) => refusals)
      .filter(({ failure, beside }) => failure.code === 'foreign_owner' && beside !== true)
      .map(({ item }) => item),
  )
