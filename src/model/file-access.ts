/**
 * Whether a file is as closed as its content asks, and open to its owner, by its mode. Pure: a daemon that runs as root can
 * read everything, so that it can read a file proves nothing about anybody else.
 *
 * Who else reads a file is the choice of whoever runs the host: a group that was let in, or a proxy that runs as the owner,
 * is intent. So a narrow mode is no fault, and nothing is ever opened to anybody who could not read it before; a reader who
 * has lost its way shows at the reader (`not_loaded`). For the same reason the owner is not judged.
 */
export interface AccessFacts {
  /** Permission bits; the bits of the kind may be among them. */
  readonly mode: number
}

export interface AccessRule {
  /** Bits without which nobody gets in at all: a mode that lacks them is nobody's intent. */
  readonly needs: number
  /** Bits that would let in whoever has no business there. */
  readonly forbids: number
  /** A file that has to be put right has at least these bits again. */
  readonly ours: number
}

export interface AccessFault {
  /** `is closed (mode 0000)`: the end of a sentence that begins with the path. */
  readonly what: string
  /** Somebody may do there what is not theirs to do; else those who must cannot. */
  readonly opens: boolean
  /** The mode that puts it right and leaves all else as it is. */
  readonly mode: number
}

/** What we write and a proxy, a name server or an SSO provider reads, who knows as which user. */
export const WRITTEN_BY_OWNER: AccessRule = { needs: 0o400, forbids: 0o022, ours: 0o600 }

/** Keys of an SSH gateway: sshd reads them as their owner, and passes over a file that others may write (StrictModes). */
export const SSH_KEYS: AccessRule = { needs: 0o400, forbids: 0o022, ours: 0o600 }

/**
 * Null where nothing is wrong. `usual`: the mode that the file had when nothing was wrong with it, which it gets back where
 * its present one shuts out its own owner.
 */
export function accessFault(
  { mode }: AccessFacts,
  { needs, forbids, ours }: AccessRule,
  usual = 0,
): AccessFault | null {
  const bits = mode & 0o777
  const lacks = (bits & needs) !== needs
  if (!lacks && (bits & forbids) === 0) return null
  const whose = lacks ? 'cannot be read by its owner' : openness(bits & forbids)
  return {
    what: `${whose} (mode ${octal(bits)})`,
    opens: (bits & forbids) !== 0,
    mode: (bits | ours | (lacks ? usual & 0o777 : 0)) & ~forbids,
  }
}

const openness = (bits: number): string => {
  if ((bits & 0o002) !== 0) return 'may be written by everybody'
  if ((bits & 0o020) !== 0) return 'may be written by its group'
  return 'may be read by others'
}

/** The mode that is put right, without the bits of the kind. */
export const mendedMode = ({ mode }: AccessFacts, rule: AccessRule, usual = 0): number =>
  accessFault({ mode }, rule, usual)?.mode ?? mode & 0o777

/** `0600` */
export const octal = (mode: number): string => (mode & 0o7777).toString(8).padStart(4, '0')
