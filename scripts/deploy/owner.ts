// npm run owner -- --email …: creates the first owner of a deployment, or with --local, of the local academy.
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

/** Quotes a text for SQL: `wrangler d1 execute` binds no parameters. */
const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`

/** Prompts for a password. Generates one if the answer is empty or there is no terminal. */
async function choosePassword(): Promise<{ password: string; made: boolean }> {
  const made = () => ({ password: randomBytes(15).toString("base64url"), made: true })
  if (!process.stdin.isTTY) return made()
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true })
  process.stdout.write("Password (leave empty to generate one):  ")
  const password = await terminal.question("")
  terminal.close()
  process.stdout.write("\n")
  return password === "" ? made() : { password, made: false }
}

const values = flags(
  "npm run owner",
  "Creates the first owner of a deployment, or of the local academy.",
  {
    email: { type: "string", value: "address", about: "the owner's email (required)" },
    "first-name": { type: "string", value: "name", default: "Owner", about: "the owner's first name" },
    "last-name": { type: "string", value: "name", default: "", about: "the owner's last name" },
    local: {
      type: "boolean",
      default: false,
      about: "create the owner of the local academy (see npm start -- --empty)",
    },
  },
  { STATE_DIR: "with --local: the state folder (default: .state)", ...DEPLOYMENT_VARIABLE },
)
const { email = "", "first-name": firstName, "last-name": lastName } = values
if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email))
  fail("--email must be an email address: npm run owner -- --email you@example.org", 2)
if (values.local) requireDatabase()
const where = values.local ? ["--local", "--persist-to", stateDir] : ["--remote", ...requireDeployment().flags]

const owners = execute(where, "select email from users where user_type = 'owner' limit 1")
if (owners.length > 0) fail(`An owner already exists: ${owners[0]?.email}. Owners create other owners through the API.`)

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
// One batch: it creates the user only if there is still no owner.
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
if (!owner) fail("The owner was not created: the email is in use, or an owner was created at the same time.")
console.info(`Created owner ${email} (ID ${owner.id}).`)
if (made) console.info(`Password (shown only once): ${password}`)
