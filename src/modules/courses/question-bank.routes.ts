import { recordOperations } from "../../http/crud.ts"
import { createApp } from "../../http/operation.ts"
import { expectedVersion, withEtag } from "../../lib/web/etag.ts"
import { listPage } from "../../lib/web/list-answer.ts"
import * as queries from "./question-bank.queries.ts"
import * as schemas from "./question-bank.schemas.ts"
import { toQuestionAnswer } from "./question-content.ts"
import { bankQuestionColumns, poolColumns } from "./question-pool-fields.ts"

export const questionBank = createApp()

const pools = recordOperations({
  tag: "Modules",
  names: ["a question pool", "question pools"],
  paths: {
    create: "/api/question-pool/create",
    list: "/api/question-pool/tabularlist",
    record: "/api/question-pool/{id}",
    delete: "/api/question-pool/delete",
  },
  access: { read: "staff", change: "staff" },
  newRecord: schemas.newPool,
  changes: schemas.poolChanges,
  listQuery: schemas.poolListQuery,
  list: schemas.poolList,
  record: schemas.pool,
  describe: {
    remove: "Deletes the questions too. Pools from which quizzes draw are not deleted.",
  },
})

questionBank.openapi(pools.create, async (c) => c.json(await queries.createPool(c.var.work, c.req.valid("json")), 200))

questionBank.openapi(pools.list, async (c) =>
  c.json(listPage(c, await queries.listPools(c.var.db, c.req.valid("query")), poolColumns.toRow), 200),
)

type Pool = Awaited<ReturnType<typeof queries.getPool>>
const toPool = (pool: Pool) => ({ ...poolColumns.toRow(pool), tags: pool.tags })

questionBank.openapi(pools.read, async (c) =>
  c.json(withEtag(c, await queries.getPool(c.var.db, c.req.valid("param").id), toPool), 200),
)

questionBank.openapi(pools.change, async (c) =>
  c.json(await queries.updatePool(c.var.work, c.req.valid("param").id, c.req.valid("json"), expectedVersion(c)), 200),
)

questionBank.openapi(pools.remove, async (c) =>
  c.json(await queries.deletePools(c.var.work, c.req.valid("json").delete_ids), 200),
)

const questions = recordOperations({
  tag: "Modules",
  names: ["a bank question", "bank questions"],
  paths: {
    create: "/api/question/create",
    list: "/api/question/tabularlist",
    record: "/api/question/{id}",
    delete: "/api/question/delete",
  },
  access: { read: "staff", change: "staff" },
  newRecord: schemas.newBankQuestion,
  changes: schemas.bankQuestionChanges,
  listQuery: schemas.bankQuestionListQuery,
  list: schemas.bankQuestionList,
  record: schemas.bankQuestion,
  describe: {
    create: "A pool has at most 1,000 questions.",
    change: "Replaces the question. Attempts keep the version that they have.",
    remove: "Attempts keep the questions that they have.",
  },
})

questionBank.openapi(questions.create, async (c) =>
  c.json(await queries.createBankQuestion(c.var.work, c.req.valid("json")), 200),
)

questionBank.openapi(questions.list, async (c) =>
  c.json(listPage(c, await queries.listBankQuestions(c.var.db, c.req.valid("query")), bankQuestionColumns.toRow), 200),
)

type BankQuestion = Awaited<ReturnType<typeof queries.getBankQuestion>>
const toBankQuestion = ({ id, poolId, tags, content, version }: BankQuestion) => ({
  id,
  poolId,
  ...toQuestionAnswer(content),
  tags,
  version,
})

questionBank.openapi(questions.read, async (c) =>
  c.json(withEtag(c, await queries.getBankQuestion(c.var.db, c.req.valid("param").id), toBankQuestion), 200),
)

questionBank.openapi(questions.change, async (c) =>
  c.json(
    await queries.updateBankQuestion(c.var.work, c.req.valid("param").id, c.req.valid("json"), expectedVersion(c)),
    200,
  ),
)

questionBank.openapi(questions.remove, async (c) =>
  c.json(await queries.deleteBankQuestions(c.var.work, c.req.valid("json").delete_ids), 200),
)
