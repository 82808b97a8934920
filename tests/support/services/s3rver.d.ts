/** The package has no types of its own; this is the part we use. */
declare module "@20minutes/s3rver" {
  export default class S3rver {
    constructor(options: {
      address: string;
      port: number;
      directory: string;
      silent: boolean;
      vhostBuckets: boolean;
      allowMismatchedSignatures: boolean;
      configureBuckets: Array<{ name: string }>;
    });
    run(): Promise<unknown>;
    close(): Promise<void>;
  }
}
