/** `plumbline help exit-codes`: the rule of all exit codes, and what each means. */
import { EXIT } from './exit-codes.ts'

/** As README.md has them, which a test holds them to. */
export const EXIT_RULE =
  'One rule for all verbs. What asks how something is, or what would be done, ends with 0, 2 or 3: nothing differs, something does, or not all of it is known; what is known to be wrong goes before what is not known. What does something ends with 0 or 1. Words that no command could take are 64, whether this program or the daemon finds them; a name that does not exist is 1, and so is a fault inside a file that the words name. A group of verbs that is said alone (`plumbline dns`) shows what there is and ends with 0.'

/** By the code, in a sentence. */
export const EXIT_WORDS: Readonly<Record<string, string>> = {
  [EXIT.ok]:
    'Done; nothing differs; nothing to do. Also of a group of verbs that is said alone: it shows what there is.',
  [EXIT.failed]:
    'The call failed, and the message says why; there is nothing of that name; a file has a fault; or somebody said no.',
  [EXIT.drift]: 'Of what asks how it is: something differs, or there is something to do.',
  [EXIT.unknown]:
    'It could not be found out, at least not all of it; no daemon runs that keeps it so; or nobody knows whether a change was carried out.',
  [EXIT.usage]: 'Wrong words: the message names the word.',
  [EXIT.database_corrupt]: 'The database is damaged.',
  [EXIT.database_missing]:
    'The database is missing or emptied beside an installation, or older than the world.',
  [EXIT.schema_too_new]: 'The database is newer than this program.',
  [EXIT.data_directory_in_use]:
    'Another process holds the data directory, also after ten seconds: it is named.',
  [EXIT.bad_configuration]: 'Settings are wrong, or the address cannot be listened on.',
  [EXIT.interrupted]: 'Ctrl-C ended it; at a question nothing was changed.',
  [EXIT.closed_pipe]: 'Nobody read the answer to its end.',
}
