import { runSubcommand } from "./lib/cli.ts"
import { root } from "./lib/state.ts"
import { DEPLOY_TESTS } from "./lib/steps.ts"

const script = (path: string) => ["node", "--disable-warning=ExperimentalWarning", path]

const SUBCOMMANDS = {
  openapi: {
    about: "the OpenAPI document with linters, client generators and a proxy",
    run: script("scripts/verify-openapi.ts"),
  },
  media: { about: "a large video through cut connections", run: script("scripts/verify-media.ts") },
  mcp: { about: "/mcp with the conformance suite of the protocol", run: script("scripts/verify-mcp.ts") },
  faults: { about: "kills the service at every kind of change", run: script("scripts/faults.ts") },
  lanes: {
    about: "deliveries to a slow and a failing receiver of webhooks beside a fast one",
    run: script("scripts/lanes.ts"),
  },
  mirror: {
    about: "a copy of an academy that follows the event feed, after thousands of random changes",
    run: script("scripts/mirror/index.ts"),
  },
  soak: { about: "runs the service under load for a while", run: script("scripts/soak.ts") },
  compliance: {
    about: "assigned training over three simulated years, with kills, beside a ledger",
    run: script("scripts/compliance/index.ts"),
  },
  versions: {
    about: "the tests of an earlier commit on the migrations of this one",
    run: script("scripts/check-versions.ts"),
  },
  entries: {
    about: "the edge entry of one version with the primary entry of another",
    run: script("scripts/check-entries.ts"),
  },
  deploy: { about: "deployments to a stand-in of Cloudflare's API", run: DEPLOY_TESTS },
  bounds: { about: "every change on a large academy", run: script("scripts/bounds.ts") },
  quizzes: { about: "1,000 learners take a quiz that draws 20 of 200 questions", run: script("scripts/quizzes.ts") },
  growth: {
    about: "inputs of twice the size take at most 2.5 times as long",
    run: ["vitest", "run", "--config", "bench/growth/vitest.config.ts"],
  },
}

runSubcommand("npm run verify", "Runs a check that npm test leaves out, because it takes minutes.", SUBCOMMANDS, root)
