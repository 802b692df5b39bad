/** A worker process cannot serve; the message is its own, for the operator. */
export class WorkerFailed extends Error {
  override name = 'WorkerFailed';
}
