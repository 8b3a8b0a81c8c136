/** Whether one version of the proxy is at least another. Pure. */

/** Null for a build without a number. */
export function fits(version: string, written_for: string): boolean | null {
  const [runs, needs] = [version, written_for].map((text) =>
    /^(\d+)\.(\d+)(?:\.(\d+))?/.exec(text)?.slice(1).map(Number),
  )
  if (runs === undefined || needs === undefined) return null
  for (const [i, part] of needs.entries()) if ((runs[i] || 0) !== part) return (runs[i] || 0) > part
  return true
}
