/** The Prometheus text format, 0.0.4: families one after another, each with its help, its type and its samples. Pure. */
export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

export type Labels = Readonly<Record<string, string>>

export interface Sample {
  readonly labels: Labels
  /** Null: not known, so there is no sample. */
  readonly value: number | null
}

export interface Family {
  readonly name: string
  readonly type: 'gauge' | 'counter'
  readonly help: string
  readonly samples: readonly Sample[]
}

/** A family without samples is left out. Of two samples with the same labels the first stays: a reader refuses both. */
export function exposition(families: readonly Family[]): string {
  return families
    .map(({ name, type, help, samples }) => {
      const lines = new Map<string, string>()
      for (const { labels, value } of samples) {
        const series = name + labelsText(labels)
        if (value !== null && !lines.has(series)) lines.set(series, `${series} ${value}\n`)
      }
      if (lines.size === 0) return ''
      return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${[...lines.values()].join('')}`
    })
    .join('')
}

function labelsText(labels: Labels): string {
  const all = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return all.length === 0 ? '' : `{${all.join(',')}}`
}

const escaped = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
