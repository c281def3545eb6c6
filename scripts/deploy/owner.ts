// npm run owner -- --email …: makes the first owner of a deployment (or, with --local, of this machine's state).
import { randomBytes } from "node:crypto"
import { createInterface } from "node:readline/promises"
import { Writable } from "node:stream"
import { searchText, sortKey } from "../../src/db/search.ts"
import { hashPassword, password as passwordRule, weakness } from "../../src/lib/crypto/password.ts"
import { MIN_PASSWORD_LENGTH } from "../../src/lib/crypto/password-length.ts"
import { fail, flags } from "../lib/cli.ts"
import { DEPLOYMENT_VARIABLE, requireDeployment } from "../lib/deployment.ts"
import { requireDatabase, stateDir } from "../lib/state.ts"
import { wellKnownPasswords } from "../lib/well-known-passwords.ts"
import { execute } from "../lib/wrangler.ts"

/** A text as SQL has it. The statements go to `wrangler d1 execute`, which binds no parameters. */
const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`

/** Asks for a password without showing it. An empty answer, or no terminal, makes a random one. */
async function choosePassword(): Promise<{ password: string; made: boolean }> {
  const made = () => ({ password: randomBytes(15).toString("base64url"), made: true })
  if (!process.stdin.isTTY) return made()
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true })
  process.stdout.write("Password (empty: a random one is made): ")
  const password = await terminal.question("")
  terminal.close()
  process.stdout.write("\n")
  return password === "" ? made() : { password, made: false }
}

const values = flags(
  "npm run owner",
  "Makes the first owner of a deployment, or of this machine's academy.",
  {
    email: { type: "string", value: "address", about: "the owner's address; required" },
    "first-name": { type: "string", value: "name", default: "Owner", about: "the owner's first name" },
    "last-name": { type: "string", value: "name", default: "", about: "the owner's last name" },
    local: { type: "boolean", default: false, about: "of this machine's academy: npm start -- --empty begins one" },
  },
  { STATE_DIR: "with --local: where that academy is (.state unless set)", ...DEPLOYMENT_VARIABLE },
)
const { email = "", "first-name": firstName, "last-name": lastName } = values
if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email))
  fail("--email must be an address: npm run owner -- --email you@example.org", 2)
if (values.local) requireDatabase()
const where = values.local ? ["--local", "--persist-to", stateDir] : ["--remote", ...requireDeployment().flags]

const owners = execute(where, "select email from users where user_type = 'owner' limit 1")
if (owners.length > 0) fail(`There is an owner already: ${owners[0]?.email}. An owner makes further ones over the API.`)

const { password, made } = await choosePassword()
const chosen = passwordRule().safeParse(password)
if (!chosen.success) fail(`The password ${chosen.error.issues.map(({ message }) => message).join(", ")}.`)
const weak = await weakness(
  password,
  { email, firstName, lastName },
  { fetch: async () => new Response(wellKnownPasswords(MIN_PASSWORD_LENGTH)) },
)
if (weak) fail(weak)

const columns = {
  first_name: quoted(firstName),
  last_name: quoted(lastName),
  first_name_key: quoted(sortKey(firstName)),
  last_name_key: quoted(sortKey(lastName)),
  email: quoted(email),
  user_type: "'owner'",
  password_hash: quoted(await hashPassword(password)),
  search_text: quoted(searchText(`${firstName} ${lastName}`, email)),
  created_at: Date.now(),
}
// One batch: the id is given out and taken only while there is still no owner.
const none = "not exists (select 1 from users where user_type = 'owner')"
execute(
  where,
  `insert into sequences (name, value) select 'users', 1 where ${none}
     on conflict (name) do update set value = value + 1;
   insert into users (id, ${Object.keys(columns).join(", ")})
     select value, ${Object.values(columns).join(", ")} from sequences where name = 'users' and ${none};
   insert into audit_entries (action, subject, subject_id, effect_on, details, created_at)
     select 'created', 'user', id, trim(first_name || ' ' || last_name), '{"userType":"owner"}', created_at
     from users where email = ${quoted(email)} and created_at = ${columns.created_at};`,
)
const [owner] = execute(where, `select id from users where email = ${quoted(email)} and user_type = 'owner'`)
if (!owner) fail("The owner was not made: somebody else with this address, or another owner, came first.")
console.info(`${email} is the owner (id ${owner.id}).`)
if (made) console.info(`Password, shown this once: ${password}`)
