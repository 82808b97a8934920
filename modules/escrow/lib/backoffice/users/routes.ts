import { Elysia } from "elysia";
import { peopleQuery } from "#forms/identity";
import { deleteUserAsAdmin, nextPage, withActor } from "#modules/identity";
import * as forms from "../../../forms.ts";
import { replySuccess } from "../../core/route-replies.ts";
import { pageOf } from "../../trade/view/history.ts";
import * as calls from "./operations.ts";
import { adminTradesOf, adminUser, adminUsers } from "./user-view.ts";

const usersPath = "/api/admin/users";
const params = forms.pathId;

/**
 * Routes by which administrators read and delete people. The list is an array; if more people follow, the `Link` header names the next
 * page.
 */
export const adminUserRoutes = new Elysia({ name: "escrow.users" })
  .use(withActor)
  .get(
    usersPath,
    async ({ actor, query: { search, ...rest }, request, set }) => {
      const answer = await adminUsers(actor, { ...rest, q: search });
      if (!answer.ok) return answer;
      if (answer.next !== null) set.headers.link = nextPage(request, answer.next);
      return answer.users;
    },
    { query: peopleQuery, detail: calls.listUsers },
  )
  .get(
    `${usersPath}/:id`,
    async ({ actor, params: { id } }) => {
      const answer = await adminUser(actor, id);
      return answer.ok ? answer.user : answer;
    },
    { params, detail: calls.showUser },
  )
  .get(
    `${usersPath}/:id/transactions`,
    async ({ actor, params: { id }, query, request, set }) => {
      const answer = await adminTradesOf(actor, id, { ...query, limit: query.limit + 1 });
      if (!answer.ok) return answer;
      const { shown, next } = pageOf(answer.transactions, query.limit);
      if (next !== null) set.headers.link = nextPage(request, next);
      return shown;
    },
    { params, query: forms.pageQuerySchema, detail: calls.listTransactionsOfUser },
  )
  .delete(
    `${usersPath}/:id`,
    async ({ actor, params: { id } }) => {
      const answer = await deleteUserAsAdmin(actor, id);
      return answer.ok ? replySuccess(actor, "userDeleted") : answer;
    },
    { params, parse: "none", detail: calls.deleteUser },
  );
