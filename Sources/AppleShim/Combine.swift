// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

#if os(Linux)
  public import Foundation

  public protocol Cancellable {
    func cancel()
  }

  public final class AnyCancellable: Cancellable, Hashable, @unchecked Sendable {
    private var onCancel: (() -> Void)?

    public init(_ cancel: @escaping () -> Void) { onCancel = cancel }
    public init(_ other: some Cancellable) { onCancel = other.cancel }
    deinit { cancel() }

    public func cancel() {
      let work = onCancel
      onCancel = nil
      work?()
    }

    public func store(in set: inout Set<AnyCancellable>) { set.insert(self) }
    public func store(in list: inout [AnyCancellable]) { list.append(self) }

    public static func == (one: AnyCancellable, other: AnyCancellable) -> Bool { one === other }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  public enum Subscribers {
    public enum Completion<Failure: Error> {
      case finished
      case failure(Failure)
    }
  }

  /// Sends values to closures. There is no back pressure and nothing runs on another queue.
  public protocol Publisher<Output, Failure> {
    associatedtype Output
    associatedtype Failure: Error

    func subscribe(
      _ receive: @escaping (Output) -> Void,
      completion: @escaping (Subscribers.Completion<Failure>) -> Void
    ) -> AnyCancellable
  }

  extension Publisher {
    public func sink(
      receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
      receiveValue: @escaping (Output) -> Void
    ) -> AnyCancellable {
      subscribe(receiveValue, completion: receiveCompletion)
    }

    public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher(self) }

    public func map<Value>(_ change: @escaping (Output) -> Value) -> AnyPublisher<Value, Failure> {
      AnyPublisher { receive, completion in
        subscribe({ receive(change($0)) }, completion: completion)
      }
    }

    public func compactMap<Value>(
      _ change: @escaping (Output) -> Value?
    ) -> AnyPublisher<Value, Failure> {
      AnyPublisher { receive, completion in
        subscribe({ if let value = change($0) { receive(value) } }, completion: completion)
      }
    }

    public func filter(_ isIncluded: @escaping (Output) -> Bool) -> AnyPublisher<Output, Failure> {
      compactMap { isIncluded($0) ? $0 : nil }
    }

    public func dropFirst(_ count: Int = 1) -> AnyPublisher<Output, Failure> {
      AnyPublisher { receive, completion in
        var left = count
        return subscribe(
          { if left > 0 { left -= 1 } else { receive($0) } }, completion: completion)
      }
    }

    public func receive<Queue>(on queue: Queue) -> AnyPublisher<Output, Failure> {
      eraseToAnyPublisher()
    }

    /// Sends each value at once: a test waits for no time to pass.
    public func debounce<Queue>(
      for time: DispatchQueue.SchedulerTimeType.Stride, scheduler: Queue
    ) -> AnyPublisher<Output, Failure> {
      eraseToAnyPublisher()
    }
  }

  extension Publisher where Failure == Never {
    public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
      subscribe(receiveValue) { _ in }
    }

    public func assign<Root>(
      to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root
    ) -> AnyCancellable {
      sink { object[keyPath: keyPath] = $0 }
    }
  }

  extension Publisher where Output: Equatable {
    public func removeDuplicates() -> AnyPublisher<Output, Failure> {
      AnyPublisher { receive, completion in
        var last: Output?
        return subscribe(
          {
            guard $0 != last else { return }
            last = $0
            receive($0)
          }, completion: completion)
      }
    }
  }

  public struct AnyPublisher<Output, Failure: Error>: Publisher {
    typealias Subscription = (
      @escaping (Output) -> Void, @escaping (Subscribers.Completion<Failure>) -> Void
    ) -> AnyCancellable

    private let subscription: Subscription

    init(_ subscription: @escaping Subscription) { self.subscription = subscription }

    public init<Source: Publisher<Output, Failure>>(_ source: Source) {
      subscription = { source.subscribe($0, completion: $1) }
    }

    public func subscribe(
      _ receive: @escaping (Output) -> Void,
      completion: @escaping (Subscribers.Completion<Failure>) -> Void
    ) -> AnyCancellable {
      subscription(receive, completion)
    }
  }

  public struct Just<Output>: Publisher {
    public typealias Failure = Never

    private let value: Output

    public init(_ value: Output) { self.value = value }

    public func subscribe(
      _ receive: @escaping (Output) -> Void,
      completion: @escaping (Subscribers.Completion<Never>) -> Void
    ) -> AnyCancellable {
      receive(value)
      completion(.finished)
      return AnyCancellable {}
    }
  }

  public protocol Subject<Output, Failure>: AnyObject, Publisher {
    func send(_ value: Output)
    func send(completion: Subscribers.Completion<Failure>)
  }

  extension Subject where Output == Void {
    public func send() { send(()) }
  }

  public final class PassthroughSubject<Output, Failure: Error>: Subject, @unchecked Sendable {
    private let receivers = Receivers<Output, Failure>()

    public init() {}

    public func send(_ value: Output) { receivers.send(value) }
    public func send(completion: Subscribers.Completion<Failure>) { receivers.send(completion) }

    public func subscribe(
      _ receive: @escaping (Output) -> Void,
      completion: @escaping (Subscribers.Completion<Failure>) -> Void
    ) -> AnyCancellable {
      receivers.add(receive, completion)
    }
  }

  public final class CurrentValueSubject<Output, Failure: Error>: Subject, @unchecked Sendable {
    private let receivers = Receivers<Output, Failure>()
    private let lock = NSLock()
    private var current: Output

    public init(_ value: Output) { current = value }

    public var value: Output {
      get { lock.withLock { current } }
      set {
        lock.withLock { current = newValue }
        receivers.send(newValue)
      }
    }

    public func send(_ value: Output) { self.value = value }
    public func send(completion: Subscribers.Completion<Failure>) { receivers.send(completion) }

    func announce(_ value: Output) {
      receivers.send(value)
      lock.withLock { current = value }
    }

    public func subscribe(
      _ receive: @escaping (Output) -> Void,
      completion: @escaping (Subscribers.Completion<Failure>) -> Void
    ) -> AnyCancellable {
      let added = receivers.add(receive, completion)
      receive(value)
      return added
    }
  }

  private final class Receivers<Output, Failure: Error>: @unchecked Sendable {
    typealias Receiver = (value: (Output) -> Void, end: (Subscribers.Completion<Failure>) -> Void)

    private let lock = NSLock()
    private var receivers: [Int: Receiver] = [:]
    private var count = 0

    func add(
      _ value: @escaping (Output) -> Void,
      _ end: @escaping (Subscribers.Completion<Failure>) -> Void
    ) -> AnyCancellable {
      let number = lock.withLock {
        count += 1
        receivers[count] = (value, end)
        return count
      }
      return AnyCancellable { [weak self] in
        self?.lock.withLock { self?.receivers[number] = nil }
      }
    }

    func send(_ value: Output) {
      for receiver in inOrder() { receiver.value(value) }
    }

    func send(_ completion: Subscribers.Completion<Failure>) {
      let ended = inOrder()
      lock.withLock { receivers = [:] }
      for receiver in ended { receiver.end(completion) }
    }

    private func inOrder() -> [Receiver] {
      lock.withLock { receivers.sorted { $0.key < $1.key }.map(\.value) }
    }
  }

  public typealias ObservableObjectPublisher = PassthroughSubject<Void, Never>

  /// Has no `objectWillChange` of its own: code that relies on it is not to compile.
  public protocol ObservableObject: AnyObject {}

  /// As Apple's, sends a value before the property has it.
  @propertyWrapper public struct Published<Value> {
    public typealias Publisher = AnyPublisher<Value, Never>

    private let subject: CurrentValueSubject<Value, Never>

    public init(wrappedValue: Value) { subject = CurrentValueSubject(wrappedValue) }
    public init(initialValue: Value) { subject = CurrentValueSubject(initialValue) }

    public var wrappedValue: Value {
      get { subject.value }
      nonmutating set { subject.announce(newValue) }
    }

    public var projectedValue: Publisher { subject.eraseToAnyPublisher() }
  }

  extension DispatchQueue {
    public enum SchedulerTimeType {
      public enum Stride {
        case seconds(Double)
        case milliseconds(Int)

        public static func seconds(_ seconds: Int) -> Stride { .seconds(Double(seconds)) }
      }
    }
  }

  extension NotificationCenter {
    public func publisher(
      for name: Notification.Name, object: AnyObject? = nil
    ) -> AnyPublisher<Notification, Never> {
      AnyPublisher { receive, _ in
        nonisolated(unsafe) let receive = receive
        let observer = self.addObserver(forName: name, object: object, queue: nil) { receive($0) }
        return AnyCancellable { self.removeObserver(observer) }
      }
    }
  }
#endif
