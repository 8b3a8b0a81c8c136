/** Who opens what: a list, and one answer of it whole. */
import { useSignal } from '@preact/signals'
import { canOpenText, policyOf } from '../../model/kept/access-entry.ts'
import { ACCESS_FIELDS, exceptionTexts, type AccessRow } from '../../model/kept/access.ts'
import { weightOf } from '../../model/lamps.ts'
import { visible } from '../../model/visible.ts'
import type { Column } from '../../parts/listing/column.ts'
import { FactsDialog } from '../../parts/listing/facts.tsx'
import { Listing } from '../../parts/listing/listing.tsx'
import { DomainLink, DomainName } from '../../parts/name.tsx'

interface Props {
  readonly rows: readonly AccessRow[]
  /** Of anybody: who, and that they open it, is what the title says. */
  readonly of_anybody?: boolean
}

export function AccessList({ rows, of_anybody = false }: Props) {
  const open = useSignal<AccessRow | null>(null)
  return (
    <>
      <Listing
        rows={rows}
        idOf={({ key }) => key}
        one={of_anybody ? 'open domain' : 'answer'}
        columns={of_anybody ? OF_ANYBODY : COLUMNS}
        phone={of_anybody ? PHONE_OF_ANYBODY : PHONE}
        lampOf={({ lamp }) => lamp}
        fields={ACCESS_FIELDS}
        hint={of_anybody ? 'name, is:inside is:exception' : 'name, who, is:yes is:unknown group:family'}
        prefix={of_anybody ? '' : 'a'}
        onOpen={(row) => {
          open.value = row
        }}
      />
      {open.value !== null && (
        <Facts
          of={open.value}
          onClose={() => {
            open.value = null
          }}
        />
      )}
    </>
  )
}

function Facts({ of: row, onClose }: { readonly of: AccessRow; readonly onClose: () => void }) {
  const { domain, detail, groups, disabled } = row.of
  return (
    <FactsDialog
      title={domain}
      lamp={row.lamp}
      why={detail}
      facts={[
        ['Who', row.who],
        ['Disabled', disabled ? (row.unproven === null ? 'yes, nobody signs in by that name' : 'yes') : null],
        ['In groups', groups.join(', ')],
        ['Opens it', canOpenText(row.of, row.unproven)],
        ['Not proven', row.unproven === null ? null : visible(row.unproven)],
        ['By', policyOf(row)],
        ['Before it', exceptionTexts(row.of).join('; ')],
        ['Domain', <DomainLink key="d" name={domain} />],
      ]}
      onClose={onClose}
    />
  )
}

const wordsOf = ({ of, unproven }: AccessRow): string =>
  [
    of.detail,
    ...(unproven === null ? [] : [unproven]),
    ...exceptionTexts(of).map((text) => `Before it: ${text}.`),
  ].join(' ')

const DOMAIN: Column<AccessRow> = {
  key: 'name',
  title: 'Domain',
  by: ({ of }) => of.domain,
  cell: ({ of }) => <DomainName name={of.domain} />,
}

const BY: readonly Column<AccessRow>[] = [
  { key: 'policy', title: 'By', by: policyOf, cell: policyOf },
  {
    key: 'words',
    title: 'In words',
    say: true,
    cell: (row) => <span title={visible(wordsOf(row))}>{visible(wordsOf(row))}</span>,
  },
]

const OF_ANYBODY: readonly Column<AccessRow>[] = [DOMAIN, ...BY]

const COLUMNS: readonly Column<AccessRow>[] = [
  DOMAIN,
  { key: 'who', title: 'Who', by: ({ who }) => who, cell: ({ who }) => visible(who) },
  {
    key: 'opens',
    title: 'Opens it',
    by: ({ lamp }) => -weightOf(lamp),
    cell: ({ of, unproven }) => canOpenText(of, unproven),
  },
  ...BY,
]

const PHONE_OF_ANYBODY = {
  below: (row: AccessRow) => visible(wordsOf(row)),
  right: policyOf,
}

/** Two lines an answer. */
const PHONE = {
  below: ({ who, of, unproven }: AccessRow) =>
    visible([`${who}: ${of.detail}`, unproven].filter(Boolean).join(' ')),
  right: ({ of, unproven }: AccessRow) => canOpenText(of, unproven),
}
