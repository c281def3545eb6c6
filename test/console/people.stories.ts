import assert from "node:assert/strict"
import type { Story } from "./story.ts"

export const stories: readonly Story[] = [
  {
    name: "An administrator finds a learner as they type",
    who: "admin@example.com",
    play: async (stage) => {
      await stage.go("Users")
      await stage.page.getByLabel("Name or e-mail address").fill("garc")
      await stage.sees(/^1 found of/)
      await stage.looks("found")
      assert.match(stage.page.url(), /nameOrEmail=garc/)
      await stage.page.reload()
      await stage.settled()
      await stage.sees("Lucía García")
    },
  },
]
