import { createApp, operation } from "../../http/operation.ts"
import { notFound } from "../../lib/errors.ts"
import { avatarOf } from "../../lib/input/person.ts"
import { siteName } from "../../lib/web/academy.ts"
import { readOwnHome } from "./own-home.queries.ts"
import { ownHome as answer } from "./own-home.schemas.ts"

export const ownHome = createApp()

ownHome.openapi(
  operation({
    operationId: "getOwnHome",
    method: "get",
    path: "/api/me/home",
    summary: "Retrieve everything that the caller's home screen shows",
    description:
      "In one request: the caller's name, points and badges; up to 4 courses to continue with their next modules, " +
      "10 open quizzes and assignments of these courses, 5 sessions of classes, and 3 announcements. `fields` limits " +
      "the response, such as `user,courses`.",
    tag: "Learning data",
    access: "general",
    signedIn: true,
    keys: "none",
    extension: true,
    revalidated: true,
    response: answer,
    errors: [404],
  }),
  async (c) => {
    const { caller, db } = c.var
    if (caller.kind !== "user") throw notFound("user")
    const { user, ...home } = await readOwnHome(db, caller.id)
    const { id, firstName, lastName, site } = user
    const shown = { id, firstName, lastName, avatar: avatarOf(user), academy: siteName(c.env, site) }
    return c.json({ user: shown, ...home }, 200)
  },
)
