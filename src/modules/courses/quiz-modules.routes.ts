import { changedResponse, createdResponse } from "../../http/crud.ts"
import { createApp, operation } from "../../http/operation.ts"
import { expectedVersion, withEtag } from "../../lib/web/etag.ts"
import { listPage } from "../../lib/web/list-answer.ts"
import { moduleColumns, moduleDetailColumns } from "./module-columns.ts"
import { quizFields } from "./module-fields.ts"
import { createModule, getModule, listModules, type StoredModule, updateModule } from "./modules.queries.ts"
import { type Module, toModule } from "./modules.routes.ts"
import * as schemas from "./modules.schemas.ts"
import { toQuestionAnswer } from "./question-content.ts"

export const quizModules = createApp()

const toQuiz = (module: Module) => ({
  ...toModule(moduleDetailColumns.quiz)(module),
  questions: module.questions.map((question) => ({
    id: question.id,
    ...toQuestionAnswer(question),
    points: question.points,
    categoryId: question.categoryId,
  })),
  draws: module.draws,
})

quizModules.openapi(
  operation({
    operationId: "createQuizModule",
    method: "post",
    path: "/api/modules/quiz",
    summary: "Create a quiz module",
    tag: "Modules",
    access: "staff",
    extension: true,
    body: schemas.newQuiz,
    response: createdResponse,
  }),
  async (c) => {
    const input = c.req.valid("json")
    return c.json(await createModule(c.var.work, "quiz", input, quizFields.toInsert(input)), 200)
  },
)

quizModules.openapi(
  operation({
    operationId: "listQuizModules",
    method: "get",
    path: "/api/modules/quiz",
    summary: "List quiz modules",
    tag: "Modules",
    access: "staff",
    extension: true,
    query: schemas.moduleListQuery,
    response: schemas.moduleList,
  }),
  async (c) => c.json(listPage(c, await listModules(c.var.db, "quiz", c.req.valid("query")), moduleColumns.toRow), 200),
)

quizModules.openapi(
  operation({
    operationId: "getQuizModule",
    method: "get",
    path: "/api/modules/quiz/{id}",
    summary: "Get a quiz module",
    description:
      "Includes the correct answers, so it is restricted to staff. Learners get the questions from quiz/attempt.",
    tag: "Modules",
    access: "staff",
    extension: true,
    record: true,
    response: schemas.quizModule,
  }),
  async (c) =>
    c.json(withEtag(c, await getModule(c.var.db, c.var.caller, "quiz", c.req.valid("param").id), toQuiz), 200),
)

quizModules.openapi(
  operation({
    operationId: "updateQuizModule",
    method: "put",
    path: "/api/modules/quiz/{id}",
    summary: "Update a quiz module",
    tag: "Modules",
    access: "staff",
    extension: true,
    body: schemas.quizChanges,
    response: changedResponse,
    errors: [412],
  }),
  async (c) => {
    const input = c.req.valid("json")
    const { id } = c.req.valid("param")
    const columns = (module: StoredModule) => quizFields.toUpdate(module, input)
    return c.json(await updateModule(c.var.work, "quiz", id, input, columns, expectedVersion(c)), 200)
  },
)
