import { createdResponse, messageResponse } from "../../http/crud.ts"
import { createApp, operation } from "../../http/operation.ts"
import { invalid } from "../../lib/errors.ts"
import { fullName } from "../../lib/text/words.ts"
import { baseUrl } from "../../lib/web/answers.ts"
import { expectedVersion, setEtag } from "../../lib/web/etag.ts"
import { listPage } from "../../lib/web/list-answer.ts"
import { deleteUsers } from "./many-users.queries.ts"
import { toUserAnswer } from "./user-answer.ts"
import { saveViewType, updateUser } from "./user-changes.queries.ts"
import { userColumns } from "./user-columns.ts"
import { createUser } from "./user-creation.queries.ts"
import { updatePassword } from "./user-passwords.queries.ts"
import { USER_TYPES } from "./user-types.ts"
import { getUser, getViewType, listUsers, lookUpUsers } from "./users.queries.ts"
import * as schemas from "./users.schemas.ts"

export const users = createApp()

users.openapi(
  operation({
    operationId: "lookUpUserTypes",
    method: "get",
    path: "/api/userType/lookup",
    summary: "List the user types",
    tag: "Users",
    access: "general",
    response: schemas.userTypes,
  }),
  (c) => c.json([...USER_TYPES], 200),
)

users.openapi(
  operation({
    operationId: "listUsers",
    method: "get",
    path: "/api/users/tabularlist",
    summary: "List users",
    description:
      "Staff and above see all users; group and portal administrators see the members of their groups and portals.",
    tag: "Users",
    access: "group_admin",
    query: schemas.userListQuery,
    response: schemas.userList,
  }),
  async (c) => {
    const { db, caller } = c.var
    const found = await listUsers(db, caller, c.req.valid("query"))
    return c.json(
      listPage(c, found, (user) => userColumns.toRow(user, { caller })),
      200,
    )
  },
)

users.openapi(
  operation({
    operationId: "listUsersByType",
    method: "get",
    path: "/api/users/getUsersByType",
    summary: "List users of a type, sorted by first name",
    description: "Returns all users unless page_size is set.",
    tag: "Users",
    access: "general",
    query: schemas.usersByTypeQuery,
    response: schemas.usersByType,
  }),
  async (c) => {
    const { userType, ...query } = c.req.valid("query")
    const found = await lookUpUsers(c.var.db, c.var.caller, { ...query, search: { userType } })
    const { records } = listPage(c, found, (user) => ({
      id: user.id,
      name: `${fullName(user)} (${user.email})`,
    }))
    return c.json({ records }, 200)
  },
)

users.openapi(
  operation({
    operationId: "lookUpUsers",
    method: "get",
    path: "/api/users/lookup",
    summary: "Look up users by name or email address",
    description: "Returns all users unless page_size is set.",
    tag: "Users",
    access: "general",
    query: schemas.userLookupQuery,
    response: schemas.userLookup,
  }),
  async (c) => {
    const { search_term, userType, ...query } = c.req.valid("query")
    const search = { nameOrEmail: search_term, userType }
    const { records } = listPage(c, await lookUpUsers(c.var.db, c.var.caller, { ...query, search }), (user) => ({
      id: user.id,
      full_name: fullName(user),
      email: user.email,
      user_type: user.userType === "general" ? "learner" : user.userType,
    }))
    return c.json({ records }, 200)
  },
)

users.openapi(
  operation({
    operationId: "saveViewType",
    method: "get",
    path: "/api/users/saveViewType",
    summary: "Save a user's preferred list view",
    description: "`type` is any text of up to 50 characters, such as `grid` or `list`.",
    tag: "Users",
    access: "general",
    mutates: true,
    query: schemas.saveViewTypeQuery,
    response: messageResponse,
    errors: [404, 409],
  }),
  async (c) => c.json(await saveViewType(c.var.work, c.req.valid("query")), 200),
)

users.openapi(
  operation({
    operationId: "getViewType",
    method: "get",
    path: "/api/users/viewType",
    summary: "Retrieve a user's preferred list view",
    description: "Returns the text that `saveViewType` stored, or null.",
    tag: "Users",
    access: "general",
    extension: true,
    query: schemas.viewTypeQuery,
    response: schemas.viewType,
    errors: [404],
  }),
  async (c) => {
    const { userId = c.var.caller.id } = c.req.valid("query")
    if (userId === null) throw invalid("userId", "userId is required without a session.")
    const { type } = await getViewType(c.var.db, c.var.caller, userId)
    return c.json({ userId, type }, 200)
  },
)

users.openapi(
  operation({
    operationId: "createUser",
    method: "post",
    path: "/api/user/create",
    summary: "Create a user",
    description:
      "Sends the user a sign-in link or, without a password, an invitation to set one; with notify: false nothing. " +
      "API keys create learners, and set passwords only with the scope credentials; otherwise the password is ignored.",
    tag: "Users",
    access: "staff",
    body: schemas.newUser,
    response: createdResponse,
  }),
  async (c) => c.json(await createUser(c.var.work, baseUrl(c), c.req.valid("json")), 200),
)

users.openapi(
  operation({
    operationId: "getUser",
    method: "get",
    path: "/api/user/{id}",
    summary: "Retrieve a user",
    tag: "Users",
    access: "general",
    record: true,
    response: schemas.userDetail,
  }),
  async (c) => {
    const { db, caller } = c.var
    const user = await getUser(db, caller, c.req.valid("param").id)
    const answer = toUserAnswer(user, caller)
    setEtag(c, user.version, answer)
    return c.json(answer, 200)
  },
)

users.openapi(
  operation({
    operationId: "updateUser",
    method: "put",
    path: "/api/user/{id}",
    summary: "Update a user",
    description:
      "Omitted fields keep their values. Honors If-Match. A caller's own new email address takes effect after the " +
      "caller opens the link that is sent to it, and the message says so; other users' addresses change immediately. " +
      "The previous address gets a notice.",
    tag: "Users",
    access: "general",
    pathIdFields: ["id", "userId", "user_id"],
    body: schemas.userChanges,
    response: messageResponse,
    errors: [409, 412],
  }),
  async (c) =>
    c.json(
      await updateUser(c.var.work, baseUrl(c), c.req.valid("param").id, c.req.valid("json"), expectedVersion(c)),
      200,
    ),
)

users.openapi(
  operation({
    operationId: "updateUserPassword",
    method: "put",
    path: "/api/user/updatePassword/{id}",
    summary: "Set a user's password",
    description: "Ends the user's sessions and sends them a notice.",
    tag: "Users",
    access: "general",
    pathIdFields: ["id", "userId", "user_id"],
    body: schemas.newPassword,
    response: messageResponse,
    errors: [409],
  }),
  async (c) => c.json(await updatePassword(c.var.work, baseUrl(c), c.req.valid("param").id, c.req.valid("json")), 200),
)

users.openapi(
  operation({
    operationId: "deleteUsers",
    method: "post",
    path: "/api/user/delete",
    summary: "Delete users",
    description:
      "Users with enrollments or portal access and authors are not deleted. Unknown ids are counted " +
      "and cause no error.",
    tag: "Users",
    access: "admin",
    body: schemas.userDeletion,
    response: schemas.userDeletionAnswer,
  }),
  async (c) => c.json(await deleteUsers(c.var.work, c.req.valid("json")), 200),
)
