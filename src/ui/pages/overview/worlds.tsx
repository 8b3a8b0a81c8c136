/** Everything that is kept true, needed or watched: lamp, what, in words, mode where it is unusual, age. */
import type { ControlPlaneHealth, HealthComponent } from '../../api/types.ts'
import { now } from '../../api/clock.ts'
import { leftText, parseTimeOr } from '../../model/ages.ts'
import { lampOfHealth, lampOfRule, worstOf } from '../../model/lamps.ts'
import { textOf } from '../../model/verdict.ts'
import { visible } from '../../model/visible.ts'
import { componentWords, listed } from '../../model/words.ts'
import { Age } from '../../parts/age.tsx'
import { LampIcon } from '../../parts/lamp.tsx'
import { Prose } from '../../parts/text/prose.tsx'
import { proseText } from '../../model/text/prose.ts'

const GROUPS = [
  ['kept', 'Kept true'],
  ['dependency', 'Needed'],
  ['watch', 'Watched'],
] as const

export function Worlds({ components, invariants }: Pick<ControlPlaneHealth, 'components' | 'invariants'>) {
  const used = components.filter(({ configured }) => configured)
  const unused = components.filter(({ configured }) => !configured)
  return (
    <section aria-label="Everything that is looked at">
      <table class="worlds group">
        <caption class="sr">Everything that is kept true, needed or watched</caption>
        <thead class="sr">
          <tr>
            <th>State</th>
            <th>What</th>
            <th>In words</th>
            <th>Mode</th>
            <th>Age</th>
          </tr>
        </thead>
        {GROUPS.map(([kind, title]) => (
          <tbody key={kind}>
            <tr>
              <th scope="rowgroup" colSpan={5}>
                {title}
              </th>
            </tr>
            {used
              .filter((row) => row.kind === kind)
              .map((row) => (
                <World key={row.name} row={row} />
              ))}
            {kind === 'watch' && (
              <tr>
                <td class="lampcell">
                  <LampIcon lamp={worstOf(invariants.map(lampOfRule))} />
                </td>
                <td class="what" colSpan={4}>
                  <a href="/system">Invariants</a>
                </td>
              </tr>
            )}
            {kind === 'watch' && unused.length > 0 && <NotSetUp rows={unused} />}
          </tbody>
        ))}
      </table>
      {used.some(({ component }) => component === 'unifi') && (
        <p class="s q2 gap">
          Uplinks and devices under{' '}
          <a href="/network" data-outside>
            Network
          </a>{' '}
          are only looked at: what is wrong with them is not counted here.
        </p>
      )}
    </section>
  )
}

function World({ row }: { readonly row: HealthComponent }) {
  const { title, detail } = componentWords(row.name)
  const text = textOf(row)
  return (
    <tr>
      <td class="lampcell">
        <LampIcon lamp={lampOfHealth(row)} />
      </td>
      <td class="what">
        <a href={row.kind === 'kept' ? `/drift?world=${encodeURIComponent(row.name)}` : '/system'}>
          {title} <span class="q">{visible(detail)}</span>
        </a>
      </td>
      <td class="say" title={visible(proseText(text, now.value))}>
        <Prose of={text} />
      </td>
      <td class="md">
        <ModeTag row={row} />
      </td>
      <td class="end">
        <Age at={parseTimeOr(row.observed_at)} stale_after={parseTimeOr(row.stale_after)} />
      </td>
    </tr>
  )
}

function ModeTag({ row: { mode, suspended_until } }: { readonly row: HealthComponent }) {
  if (mode === null || mode === 'repair') return null
  const end = parseTimeOr(suspended_until)
  return (
    <span class="tag off">
      {mode}
      {end !== null && ` · ${leftText(end, now.value)}`}
    </span>
  )
}

function NotSetUp({ rows }: { readonly rows: readonly HealthComponent[] }) {
  const names = rows.map(({ name }) => componentWords(name).title)
  return (
    <tr>
      <td class="lampcell">
        <LampIcon lamp="off" />
      </td>
      <td class="what">Not set up</td>
      <td class="say" title={names.join(', ')}>
        {listed(names, 5)}. <a href="/system">What there is</a>
      </td>
      <td class="md" />
      <td class="end">
        <span class="q s">–</span>
      </td>
    </tr>
  )
}
