// The stories of the six people who use the console.
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, it } from "node:test"
import { root } from "../../scripts/lib/state.ts"

const folder = join(root, "test/e2e/console")

/** The file of each person's story, and how its title begins. */
const STORIES = {
  owner: { file: "first-course.spec.ts", title: "An owner of an empty academy" },
  instructor: { file: "teaching.spec.ts", title: "An instructor's day" },
  learner: { file: "learning.spec.ts", title: "A learner completes a course" },
  "compliance manager": { file: "compliance.spec.ts", title: "A compliance manager" },
  supervisor: { file: "supervisor.spec.ts", title: "A supervisor" },
  support: { file: "support.spec.ts", title: "Support" },
}

describe("the stories of the console", () => {
  for (const [person, { file, title }] of Object.entries(STORIES))
    it(`has one of the ${person}, which runs axe and rejects errors and other origins`, () => {
      const source = readFileSync(join(folder, file), "utf8")
      const start = source.indexOf(`test("${title}`)
      assert.ok(start >= 0, `${file}: no test "${title}…"`)
      const [story = ""] = source.slice(start).split(/\n\}\)\n/)
      assert.match(story, /expectAccessible\(/, `${file}: axe`)
      // The fixture `signIn` checks the problems of the page; other stories do it themselves.
      assert.match(`${story}${source.slice(0, start)}`, /\bsignIn\b|expect\(app\.problems/, `${file}: problems`)
      assert.doesNotMatch(story, /test\.(skip|fixme|fail)\(/, `${file}: runs`)
    })
})
