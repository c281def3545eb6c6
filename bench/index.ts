import { runSubcommand } from "../scripts/lib/cli.ts"
import { root } from "../scripts/lib/state.ts"

const program = (name: string, about: string) => ({
  about,
  run: ["node", "--disable-warning=ExperimentalWarning", `bench/${name}.ts`],
})

const PROGRAMS = {
  operations: program("operations", "operations of the service compared with a bare Worker"),
  cost: program("cost", "the cost of a learner-year on Cloudflare"),
  lists: program("lists", "the users list over a large table"),
  "learning-lists": program("learning-lists", "lists and reports of learning over a large table"),
  reports: program("reports", "large spreadsheets"),
  jobs: program("jobs", "changes that background jobs complete"),
  "assignment-rule": program("assignment-rule", "a rule that assigns a course to 100,000 people"),
  profile: program("profile", "where the CPU of an operation goes, by file and function"),
  heartbeats: program("heartbeats", "heartbeats per second"),
  latency: program("latency", "operations for clients in five regions"),
  "first-requests": program("first-requests", "the first request to each module"),
  "sign-ins": program("sign-ins", "many people who sign in at the same moment"),
  home: program("home", "a learner's home screen on a phone"),
  memory: program("memory", "the memory of the service during mixed requests"),
  compare: program("compare", "two running services"),
  academy: program("academy", "loads the OULAD dataset into a running service"),
  "seed-users": program("seed-users", "adds users to the database of a stopped service"),
  "seed-enrollments": program("seed-enrollments", "adds registrations to the database of a stopped service"),
}

runSubcommand("npm run bench", "Runs a measurement: see bench/README.md.", PROGRAMS, root)
